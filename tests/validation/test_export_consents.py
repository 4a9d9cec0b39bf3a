"""An export has the versions that people accepted, and their consents; an import keeps both."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from collection import services
from collection.models import Campaign, Consent, Guideline
from tests.factories import CampaignFactory, ConsentFactory, TwinFactory, UserFactory, VoteFactory
from tests.validation.test_import_export import changed, empty_the_platform, files_of
from validation.imports.campaigns import import_export
from validation.imports.saving import NOT_IMPORTED
from winoplatform.errors import DomainError


@pytest.fixture
def winter(db: None) -> Campaign:
    campaign = CampaignFactory(slug="winter")
    services.publish_guideline(campaign=campaign, text="=Write", contact="Dana", by=UserFactory())
    services.publish_guideline(campaign=campaign, text="Write.", data_use="Deleted in May.")
    vote = VoteFactory(question=TwinFactory(campaign=campaign).questions.first())
    first = Guideline.objects.get(version=1)
    early = timezone.now() - timedelta(days=2)
    for times in ({"withdrawn_at": timezone.now() - timedelta(days=1)}, {}):
        ConsentFactory(
            worker=vote.worker, guideline=first, skill="validate", created_at=early, **times
        )
    services.withdraw_consent(worker=vote.worker, campaign=campaign)
    ConsentFactory(guideline=campaign.guideline, skill="formalise")  # who has not worked yet
    return campaign


def lines_of(files: dict[str, bytes]) -> dict[str, list[bytes]]:
    """Return the sorted lines of each file: people are in the order in which they were stored."""
    return {name: sorted(content.splitlines()) for name, content in files.items()}


@pytest.mark.long
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_consents_and_their_versions_come_back(winter: Campaign, tmp_path: Path, form: str) -> None:
    before = files_of(winter, form, tmp_path)
    empty_the_platform()
    import_export(folder=tmp_path, slug="winter")
    there = Campaign.objects.get()
    assert lines_of(files_of(there, form, tmp_path / "again")) == lines_of(before)
    assert [(row.version, row.text, row.contact) for row in there.guideline_set.order_by("pk")] == [
        (1, "=Write", "Dana"), (2, "Write.", "Dana"),
    ]  # fmt: skip
    assert there.guideline.data_use == "Deleted in May."
    assert Consent.objects.active().count() == 1


def test_an_export_without_them_names_versions_alone_and_may_be_completed(
    winter: Campaign, tmp_path: Path
) -> None:
    before = files_of(winter, "jsonl", tmp_path)
    empty_the_platform()
    for name in ("guidelines", "consents"):
        (tmp_path / f"{name}.jsonl").unlink()
    import_export(folder=tmp_path, slug="winter")
    assert [row.text for row in Guideline.objects.all()] == [NOT_IMPORTED]
    (tmp_path / "guidelines.jsonl").write_bytes(before["guidelines.jsonl"])
    (tmp_path / "consents.jsonl").write_bytes(before["consents.jsonl"])
    import_export(folder=tmp_path, slug="winter")
    again = files_of(Campaign.objects.get(), "jsonl", tmp_path / "again")
    assert lines_of(again) == lines_of(before)
    assert Consent.objects.active().count() == 1  # the validator's stay withdrawn


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        ("consents", {"guidelines": 7}, "not in the file of guidelines"),
        ("consents", {"withdrawn_at": "2001-01-01T00:00:00+00:00"}, "before it was given"),
        ("consents", {"skill": "read"}, "skill"),
        ("guidelines", {"guidelines": 0}, "A version is 1 or more"),
        ("guidelines", {"text": "x" * 50_001}, "too long"),
    ],
)
def test_what_nobody_can_have_accepted_is_refused(
    winter: Campaign, tmp_path: Path, name: str, values: dict[str, object], sentence: str
) -> None:
    files_of(winter, "jsonl", tmp_path)
    empty_the_platform()
    changed(tmp_path, name, 1, **values)
    with pytest.raises(DomainError, match=sentence):
        import_export(folder=tmp_path, slug="winter")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM collection_consent")
        assert cursor.fetchone() == (0,)
