"""A release of a whole snapshot, of which no run has selected anything."""

from typing import Any

import pytest

from collection.models import Campaign
from corpora import services
from corpora.models import Release, Snapshot
from tests.corpora.test_blind_for_ever import snapshot_of_campaign
from tests.corpora.test_released_golds import a_valid_question
from tests.filtering.stages import carried, contents, filtered, frozen, release_of, rows

QUESTIONS = frozen(pairs=60, unpaired=20)


def unfiltered(snapshot: Snapshot, *, name: str = "all") -> Release:
    return carried(services.build_release(snapshot=snapshot, name=name, by=None))


def filtered_beside(release: Release, *, dropping: int) -> Release:
    """A release of the same questions with the same key, without the first few of them."""
    other = release_of(filtered(QUESTIONS, QUESTIONS[dropping:]), "filtered")
    Release.objects.filter(pk=other.pk).update(key=release.key)
    return carried(other)


@pytest.fixture
def release() -> Release:
    return unfiltered(filtered(QUESTIONS).encoding.snapshot)


def manifest(release: Release) -> dict[str, Any]:
    return rows(contents(release)["manifest.json"].replace("\n", ""))[0]


def columns(release: Release) -> dict[str, list[str]]:
    """Each file's columns, in order; none of what is no table."""
    files = {name.replace(release.name, "x"): text for name, text in contents(release).items()}
    return {
        name: list((rows(text) or [{}])[0]) if name.endswith(".jsonl") else []
        for name, text in files.items()
        if "debiased" not in name
    }


@pytest.mark.long
def test_its_files_and_columns_are_those_of_a_filtered_one(release: Release) -> None:
    other = filtered_beside(release, dropping=9)
    assert columns(release) == columns(other)
    restricted = [
        list(one.files.filter(restricted=True).values_list("name", flat=True))
        for one in (release, other)
    ]
    assert restricted[0] == restricted[1]


@pytest.mark.long
def test_a_selection_of_everything_publishes_the_same_bytes(release: Release) -> None:
    whole, kept = contents(release), contents(filtered_beside(release, dropping=0))
    tables = [name for name in whole if name.endswith((".jsonl", ".lst")) and "index" not in name]
    assert [whole[name] for name in tables] == [kept[name] for name in tables]
    assert kept["train_debiased.jsonl"] == whole["train_xl.jsonl"]


@pytest.mark.long
def test_every_question_of_the_snapshot_is_published_once(release: Release) -> None:
    index = rows(contents(release)["index.jsonl"])
    assert sorted(row["question"] for row in index) == sorted(one.id for one in QUESTIONS)
    assert manifest(release)["left_out"] == {}


@pytest.mark.long
def test_its_manifest_names_the_snapshot_and_no_run(release: Release) -> None:
    about, other = manifest(release), manifest(filtered_beside(release, dropping=9))
    assert (about["selection"], set(other["selection"])) == (None, {"encoding", "filter"})
    assert about["snapshot"] == {
        "questions_sha256": release.snapshot.questions_id,
        "questions": len(QUESTIONS),
        "pairs": 60,
    }


def test_a_twin_with_an_open_seat_is_left_out(campaign: Campaign) -> None:
    a_valid_question(campaign, 0, seats=1)
    decided = a_valid_question(campaign, 1)
    release = unfiltered(snapshot_of_campaign(campaign))
    index = rows(contents(release)["index.jsonl"])
    assert [row["question"] for row in index] == [decided.public_id]
    about = manifest(release)
    assert about["left_out"] == {"in_validation": 1}
    assert sum(about["splits"][name]["questions"] for name in ("train_xl", "dev", "test")) == 1
