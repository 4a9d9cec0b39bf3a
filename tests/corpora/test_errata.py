"""Corrections of releases, and what is told about a release."""

import json
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from corpora.models import Erratum, Release
from corpora.selectors import metadata_for, notices_of
from corpora.services import add_erratum, retract_release
from corpora.signals import notice_added
from tests.factories import ArtifactFactory, ReleaseFactory, ReleaseFileFactory, UserFactory
from tests.refusals import refused
from workers.models import User


@pytest.fixture
def release() -> Release:
    made: Release = ReleaseFactory(finished=True)
    return made


def corrected(release: Release, text: str = "No blank.", **asked: Any) -> Erratum:
    return add_erratum(
        **{"release": release, "text": text, "key": uuid.uuid4(), "by": None} | asked
    )


def test_an_erratum_is_stored_once_however_often_it_is_sent(release: Release, dana: User) -> None:
    key = uuid.uuid4()
    first, again = (corrected(release, " No blank. ", key=key, by=dana) for _ in range(2))
    assert first == again
    assert Erratum.objects.get().text == "No blank."
    for other in (
        {"text": "Other."},
        {"by": UserFactory()},
        {"release": ReleaseFactory(finished=True)},
    ):
        with refused("key_used"):
            corrected(**{"release": release, "key": key, "by": dana} | other)
    corrected(release, by=dana)
    assert release.errata.count() == 2


@pytest.mark.parametrize(
    ("text", "status", "code"), [(" ", "done", "text_missing"), ("No.", "queued", "run_not_done")]
)
def test_an_erratum_of_nothing_is_refused(
    release: Release, text: str, status: str, code: str
) -> None:
    release.status = status
    with refused(code):
        corrected(release, text)


def test_the_database_refuses_an_erratum_without_a_text(release: Release) -> None:
    with pytest.raises(IntegrityError, match="corpora_erratum_has_a_text"), transaction.atomic():
        Erratum.objects.create(release=release, text="")


def test_apps_above_hear_of_a_new_erratum_once(release: Release) -> None:
    heard = []

    def hear(sender: type[Release], release: Release, **_: Any) -> None:
        heard.append((sender, release))

    notice_added.connect(hear)
    try:
        key = uuid.uuid4()
        for _ in range(2):
            corrected(release, key=key)
    finally:
        notice_added.disconnect(hear)
    assert heard == [(Release, release)]


def test_errata_are_told_before_the_retraction_and_in_the_description(release: Release) -> None:
    described = {"description": "Twins.", "distribution": []}
    artifact = ArtifactFactory(content=json.dumps(described).encode())
    ReleaseFileFactory(release=release, name="croissant.json", artifact=artifact)
    assert notices_of(release) == []
    assert told(release) == ("Twins.", None)
    first, second = corrected(release, "One."), corrected(release, "Two.")
    days = [erratum.created_at.date() for erratum in (first, second)]
    assert [(one.kind, one.at, one.text) for one in notices_of(release)] == [
        ("erratum", first.created_at, "One."),
        ("erratum", second.created_at, "Two."),
    ]
    errata = f"Erratum of {days[1]}: Two. Erratum of {days[0]}: One. Twins."
    assert told(release) == (errata, None)
    retract_release(release=release, reason="Wrong.", by=None)
    assert [one.text for one in notices_of(release)] == ["One.", "Two.", "Wrong."]
    assert told(release) == (f"Retracted: Wrong. {errata}", "Retracted: Wrong.")


def told(release: Release) -> tuple[str, str | None]:
    metadata = metadata_for(release, "https://wino.example.org/files")
    assert metadata is not None
    return metadata["description"], metadata.get("creativeWorkStatus")
