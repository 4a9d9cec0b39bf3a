"""A retraction and an erratum are told where copies stand."""

import logging
import uuid
from typing import Any

import pytest
import yaml

from collection.models import Campaign
from corpora.models import Erratum, Release
from corpora.services import add_erratum, confirm, retract_release
from publishing import runner, selectors, services
from publishing.models import Publication
from tests.factories import ArtifactFactory, ReleaseFileFactory, UserFactory
from tests.filtering.stages import carried
from tests.publishing.copies import NAME, TO, later_release, sent
from tests.publishing.hub import Hub
from tests.publishing.zenodo import Zenodo
from tests.refusals import refused
from winoplatform.artifacts import store
from winoplatform.runs.kinds import execute_here
from workers.models import Proposal, User

REASON = "Answers of *dev* are swapped."


def retracted(release: Release) -> Release:
    return retract_release(release=release, reason=REASON, by=None)


def corrected(release: Release) -> Erratum:
    text = "Row 3 of <dev> has no blank."
    return add_erratum(release=release, text=text, key=uuid.uuid4(), by=None)


def finish_all() -> None:
    for run in Publication.objects.open():
        carried(run)


def test_a_retraction_is_told_on_the_hub_and_on_zenodo(
    small: Release, hub: Hub, zenodo: Zenodo
) -> None:
    sent(small, "zenodo")
    first = sent(small)
    retracted(small)
    finish_all()
    card = hub.files(NAME)["README.md"].decode()
    assert "> **This version, 1.0.0, was retracted on" in card
    assert r"Answers of \*dev\* are swapped." in card
    assert REASON in yaml.safe_load(hub.files(NAME)["CITATION.cff"])["message"]
    (record,) = zenodo.records
    assert record.metadata["title"] == "Retracted: Twins"
    assert REASON in record.metadata["description"]
    assert len(zenodo.depositions) == 1
    # The tag has what it had: others may have cited it.
    assert hub.repositories[NAME].tags == {"v1.0.0": first.revision}
    assert "retracted" not in hub.files(NAME, "v1.0.0")["README.md"].decode()


def test_a_retraction_is_told_once(small: Release, hub: Hub, zenodo: Zenodo) -> None:
    sent(small), sent(small, "zenodo")
    retracted(small)
    finish_all()
    commits, asked = len(hub.repositories[NAME].commits), len(zenodo.log)
    assert services.send_notices(release=small) == []
    for to in (TO, "zenodo"):
        assert services.plan_publication(release=small, to=to).nothing_to_send
        sent(small, to)
    assert (len(hub.repositories[NAME].commits), len(zenodo.log)) == (commits, asked)


def test_the_release_that_stands_now_tells_that_an_earlier_one_was_retracted(
    small: Release, hub: Hub
) -> None:
    sent(small)
    later = later_release(small)
    sent(later)
    retracted(small)
    finish_all()
    card = hub.files(NAME)["README.md"].decode()
    assert "> **An earlier version, 1.0.0, was retracted on" in card
    assert "data/test.parquet" in hub.files(NAME)
    assert "retracted" not in hub.files(NAME)["CITATION.cff"].decode()


def test_what_a_second_person_confirms_is_told_then(small: Release, hub: Hub, dana: User) -> None:
    Campaign.objects.update(second_person=["retraction"])
    small.refresh_from_db()
    sent(small)
    retract_release(release=Release.objects.get(pk=small.pk), reason=REASON, by=dana)
    assert not Publication.objects.open().exists()
    confirm(proposal=Proposal.objects.get(), by=UserFactory(admin=True))
    finish_all()
    assert "was retracted" in hub.files(NAME)["README.md"].decode()


def test_a_release_that_stands_nowhere_starts_nothing(small: Release, hub: Hub) -> None:
    retracted(small)
    assert not Publication.objects.exists()


def test_a_retraction_holds_also_where_a_copy_cannot_be_reached(
    small: Release, hub: Hub, settings: Any
) -> None:
    sent(small)
    settings.HUB_TOKEN = ""
    retracted(small)
    small.refresh_from_db()
    assert small.retracted_at is not None
    assert not Publication.objects.open().exists()
    assert not services.plan_publication(release=small, to=TO).nothing_to_send


def lose_the_card(release: Release) -> None:
    artifact = release.files.get(name="README.md").artifact
    store.local_path(artifact.sha256).unlink()


def break_the_citation(release: Release) -> None:
    release.files.filter(name="CITATION.cff").delete()
    artifact = ArtifactFactory(content=b"title: [")
    ReleaseFileFactory(release=release, name="CITATION.cff", artifact=artifact)


def open_a_blind_file(release: Release) -> None:
    release.files.filter(name="test-labels.lst").update(restricted=False)


@pytest.mark.parametrize("damage", [lose_the_card, break_the_citation, open_a_blind_file])
@pytest.mark.parametrize("act", [retracted, corrected])
def test_a_notice_that_fails_undoes_nothing(
    small: Release, hub: Hub, zenodo: Zenodo, caplog: Any, act: Any, damage: Any
) -> None:
    sent(small)
    n = len(hub.log)
    damage(small)
    act(small)
    small.refresh_from_db()
    assert (small.retracted_at is not None, small.errata.count()) in ((True, 0), (False, 1))
    assert not Publication.objects.open().exists()
    assert len(hub.log) == n
    (line,) = [one for one in caplog.records if one.name == "publishing.services"]
    assert line.levelno == (logging.WARNING if damage is lose_the_card else logging.ERROR)
    assert line.getMessage().startswith(f"{TO} is not told about small")


def test_a_document_that_is_too_large_to_be_amended_is_refused(
    small: Release, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent(small)
    retracted(small)
    size = small.files.get(name="README.md").artifact.size
    monkeypatch.setattr(selectors, "MOST_BYTES", size)
    assert services.plan_publication(release=small, to=TO).files
    monkeypatch.setattr(selectors, "MOST_BYTES", size - 1)
    with refused("document_too_large"):
        services.plan_publication(release=small, to=TO)


def test_a_release_retracted_while_its_last_request_is_answered_tells_it_afterwards(
    small: Release, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit is outside, so it is recorded, and the notice follows."""
    run = services.publish_release(release=small, to=TO, by=None)
    close = runner._closed

    def closed(*args: object) -> object:
        result = close(*args)  # type: ignore[arg-type]
        retracted(small)
        return result

    monkeypatch.setattr(runner, "_closed", closed)
    execute_here(run)
    run.refresh_from_db()
    assert run.status == "done"
    monkeypatch.undo()
    finish_all()
    assert "was retracted" in hub.files(NAME)["README.md"].decode()


def test_an_erratum_is_told_on_the_hub_and_on_zenodo(
    small: Release, hub: Hub, zenodo: Zenodo
) -> None:
    sent(small), sent(small, "zenodo")
    corrected(small)
    finish_all()
    card = hub.files(NAME)["README.md"].decode()
    assert "> **This version, 1.0.0, has an erratum of" in card
    assert "Row 3 of" in card
    (record,) = zenodo.records
    assert record.metadata["title"] == "Twins"
    assert "Row 3 of &lt;dev&gt; has no blank." in record.metadata["description"]
    retracted(small)
    finish_all()
    card = hub.files(NAME)["README.md"].decode()
    assert card.index("has an erratum of") < card.index("was retracted on")
