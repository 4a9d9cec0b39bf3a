"""What a release says of the collection is as it was when its snapshot was requested."""

import hashlib
import io
import zipfile
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Provenance, Question, Twin
from corpora import services
from corpora.building.provenance import Source, sources
from corpora.building.tables import planning
from corpora.core.bundle.layout import SUMS
from corpora.models import Release, Snapshot
from evaluation.core.verify import Finding, Outcome
from evaluation.exports.opening import write_opening
from tests.corpora.test_release_provenance import a_question, manifest, validated
from tests.corpora.test_unfiltered_releases import unfiltered
from tests.evaluation.bundles import findings
from tests.factories import LedgerEntryFactory, SnapshotFactory, UserFactory
from tests.filtering.stages import carried, frozen, snapshot_of
from tests.validation.deciding import give
from validation.models import Vote
from validation.services.review.adjudication import decide_question
from validation.services.review.exclusions import exclude, restore
from validation.services.validating.amendments import amend_vote
from validation.services.verdicts.questions import revision_of
from winoplatform.artifacts import store

SAME = ("collection", "agreement", "draws", "limits", "left_out")


@pytest.mark.long
def test_releases_of_a_snapshot_tell_the_same_whatever_happens_in_between(tmp_path: Path) -> None:
    campaign = validated(8, dev_share="0.25", test_share="0.25")
    Vote.objects.update(local_option=None)  # `validated` changes it after the verdicts
    campaign.twins.update(created_at=timezone.now() - timedelta(days=40))
    for twin in campaign.twins.all():
        paid(twin, minutes=3)
    undecided = a_question(campaign, 50)
    give(undecided, True)
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    first = built(snapshot, "one")
    work_goes_on(campaign, undecided)
    second = built(snapshot, "two")
    for name in SAME:
        assert manifest(first)[name] == manifest(second)[name], name
    told = manifest(first)["collection"]
    assert (told["questions"], told["writers"]) == (6, 6)
    assert (told["votes"], told["validators"]) == (18, 18)
    assert told["pay"]["writing"] == {"0.40": 6}
    assert told["hourly_pay"]["writing"] == {"median": "8.00", "n": 6}
    assert told["first_written"] == told["last_written"] < f"{timezone.now():%Y-%m}"
    for release in (first, second):
        assert wrong_in(release, tmp_path) == []


def test_a_vote_restored_or_amended_since_counts_as_it_did() -> None:
    campaign = validated(3, dev_share="0", test_share="0")
    decided = Question.objects.filter(verdict__isnull=False).order_by("pk")
    one, two = decided[0], decided[1]
    dana, out = UserFactory(curator=True), one.votes.earliest("pk")
    exclude(vote_id=out.public_id, reason="Hasty.", by=dana)
    give(one, True)
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    told = facts_of(snapshot)
    restore(vote_id=out.public_id, reason="It was not.", by=dana)
    last = two.votes.latest("pk")
    shown = 1 if last.seat.swapped else 2  # the second option
    amend_vote(worker=last.worker, seat_id=last.seat.public_id, shown_option=shown, ambiguous=True)
    assert facts_of(snapshot) == told
    now = facts_of(SnapshotFactory(campaign=campaign, finished=True))
    assert [sum(map(counted, known.values())) for known in (told, now)] == [9, 10]
    for question in (one, two):
        assert now[question.public_id] != told[question.public_id]


def facts_of(snapshot: Snapshot) -> dict[str, Source]:
    """What is known of a campaign's questions as of a snapshot."""
    ids = Question.objects.filter(verdict__isnull=False).values_list("public_id", flat=True)
    with planning():  # without turns of names
        return sources(ids, at=snapshot.created_at)


def counted(source: Source) -> int:
    return sum(not vote["excluded"] for vote in source.votes)


def work_goes_on(campaign: Campaign, undecided: Question) -> None:
    """Whatever changes a figure of the present: new work, pay, and a curator's decisions."""
    one, two = Question.objects.filter(twin__draw__split="train", verdict__isnull=False)[:2]
    dana = UserFactory(curator=True)
    give(undecided, True)
    paid(undecided.twin, minutes=1)
    give(a_question(campaign, 60), True, True, True)
    carried(services.take_snapshot(campaign=campaign, by=None))  # it draws for the new twin
    exclude(vote_id=one.votes.earliest("pk").public_id, reason="Hasty.", by=dana)
    decide_question(
        question_id=two.public_id,
        revision=revision_of(two),
        note="Both fit.",
        by=dana,
        valid=False,
        reasons=["ambiguous"],
    )


def built(snapshot: Snapshot, name: str) -> Release:
    return carried(services.build_release(snapshot=snapshot, name=name, by=None))


def paid(twin: Twin, *, minutes: int) -> None:
    Provenance.objects.create(twin=twin, active_seconds=60 * minutes)
    LedgerEntryFactory(
        worker=twin.author, kind="twin", unit=str(twin.public_id), amount=Decimal("0.40")
    )


def wrong_in(release: Release, folder: Path) -> list[Finding]:
    """What a check of the published and the curators' files finds wrong."""
    archive = release.files.select_related("artifact").get(name=f"{release.name}.zip").artifact
    with store.open_artifact(archive) as file:
        zipfile.ZipFile(io.BytesIO(file.read())).extractall(folder)
    opened = folder / f"{release.name}-opened"
    write_opening(release=release, folder=opened)
    found = findings(folder / release.name, opened)
    return [one for one in found if one.outcome is Outcome.WRONG]


NAME = "same-1"


@pytest.fixture
def release() -> Release:
    """Released publicly, so that no account is needed."""
    snapshot = snapshot_of(frozen(pairs=40, unpaired=4), dev_share="0.20", test_share="0.20")
    unfiltered(snapshot, name=NAME)
    Release.objects.update(is_public=True)
    return Release.objects.get()


def by_command(folder: Path) -> dict[str, bytes]:
    call_command("export_release", NAME, str(folder))
    call_command("export_release", NAME, str(folder / f"{NAME}.zip"))
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def downloaded(address: str) -> bytes:
    return b"".join(Client().get(address).streaming_content)


@pytest.mark.long
def test_command_rest_and_page_give_the_same_bytes(release: Release, tmp_path: Path) -> None:
    files = by_command(tmp_path)
    assert set(files) == {one.name for one in release.files.filter(restricted=False)}
    assert {f"{NAME}.zip", "data/dev.parquet", "provenance/votes.jsonl"} < set(files)
    over_rest = f"/api/v1/releases/{release.public_id}/files/"
    for name, content in files.items():
        assert downloaded(f"{over_rest}{name}") == content, name
        assert downloaded(reverse("release-file", args=[NAME, name])) == content, name


def test_the_zip_has_the_bytes_of_the_single_files(release: Release, tmp_path: Path) -> None:
    files = by_command(tmp_path)
    archive = zipfile.ZipFile(io.BytesIO(files.pop(f"{NAME}.zip")))
    assert {one: archive.read(one) for one in archive.namelist()} == {
        f"{NAME}/{name}": content for name, content in files.items()
    }
    listed = dict(line.split("  ")[::-1] for line in files.pop(SUMS).decode().splitlines())
    assert listed == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
