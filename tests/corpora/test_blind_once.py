"""Which blind questions appear is decided once: no two releases tell what a filter removed."""

import random
from collections import defaultdict
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from collection.models import Campaign, Question, Twin
from corpora import services
from corpora.core.items import TwinItem
from corpora.models import BlindSentence, Draw, Release, Snapshot
from corpora.selectors import load_questions, read_index
from tests.factories import CampaignFactory, EncodingFactory, FilterRunFactory, SnapshotFactory
from tests.filtering.stages import (
    carried,
    contents,
    frozen,
    release_of,
    rows,
    snapshot_of,
    stored,
)
from winoplatform.artifacts import store
from winoplatform.runs.kinds import execute_here

SHARES = {"dev_share": "0.3", "test_share": "0.3"}


def of_ids(snapshot: Snapshot, ids: list[str], name: str) -> Release:
    run = FilterRunFactory(
        finished=True,
        encoding=EncodingFactory(finished=True, snapshot=snapshot),
        kept=store.put_bytes("".join(f"{id}\n" for id in ids).encode()),
        n_kept=len(ids),
    )
    return carried(release_of(run, name))


def selected(snapshot: Snapshot, keep: float, seed: int, name: str) -> Release:
    """A release of what a filter keeps, question by question; blind ones too."""
    rng = random.Random(seed)
    ids = [one.id for one in load_questions(snapshot) if rng.random() < keep]
    return of_ids(snapshot, ids, name)


def whole(snapshot: Snapshot, name: str) -> Release:
    return carried(services.build_release(snapshot=snapshot, name=name, by=None))


def published(release: Release, split: str = "test") -> set[str]:
    return {row["question"] for row in read_index(release) if row["split"] == split}


def kept_by(release: Release) -> set[str]:
    assert release.selection is not None
    assert release.selection.kept is not None
    with store.open_artifact(release.selection.kept) as file:
        return set(file.read().decode().split())


@pytest.mark.long
def test_a_filtered_and_an_unfiltered_release_publish_the_same_blind_questions() -> None:
    snapshot = snapshot_of(frozen(pairs=60, unpaired=12), **SHARES)
    filtered_first = selected(snapshot, 0.7, 1, "filtered")
    all_of_it = whole(snapshot, "all")
    again = selected(snapshot, 0.5, 2, "again")
    blind = published(filtered_first)
    assert 10 <= len(blind) < 0.9 * Question.objects.filter(twin__draw__split="test").count()
    assert blind <= kept_by(filtered_first)
    assert published(all_of_it) == published(again) == blind
    # Train and dev follow each release's own selection.
    assert published(all_of_it, "dev") > published(again, "dev")


@pytest.mark.long
def test_after_an_unfiltered_release_a_filter_removes_no_blind_question() -> None:
    snapshot = snapshot_of(frozen(pairs=40), **SHARES)
    first = whole(snapshot, "all")
    assert published(selected(snapshot, 0.5, 1, "filtered")) == published(first)


def grown(campaign: Campaign, questions: list[TwinItem]) -> Snapshot:
    """A later snapshot of the campaign."""
    stored(questions, campaign)
    lines = "".join(f"{question.to_line()}\n" for question in questions)
    return SnapshotFactory(
        finished=True,
        campaign=campaign,
        questions=store.put_bytes(lines.encode()),
        n_questions=len(questions),
        n_pairs=len(questions) // 2,
    )


@pytest.mark.long
def test_three_releases_of_a_growing_campaign_decide_each_blind_question_once() -> None:
    questions = frozen(pairs=90)
    first = selected(snapshot_of(questions[:60], **SHARES), 0.7, 1, "one")
    campaign = first.snapshot.campaign
    second = whole(grown(campaign, questions[:120]), "two")
    third = selected(grown(campaign, questions), 0.6, 3, "three")
    early, middle = ({one.id for one in questions[:n]} for n in (60, 120))
    assert published(second) & early == published(third) & early == published(first)
    assert published(third) & middle == published(second)
    assert published(third) - middle
    assert published(third) - middle <= kept_by(third)
    assert (second.version, third.version) == ("1.1.0", "2.0.0")  # some of dev was filtered out


@pytest.mark.long
def test_a_copy_in_another_campaign_is_published_no_other_way() -> None:
    questions = frozen(pairs=40)
    first = selected(snapshot_of(questions, **SHARES), 0.5, 1, "here")
    copies = [
        TwinItem(
            id=f"copy-{one.id}", group=one.group.replace("0000", "1111", 1),
            sentence=one.sentence, options=one.options, answer=one.answer,
        )
        for one in questions
    ]  # fmt: skip
    other = whole(snapshot_of(copies, **SHARES), "elsewhere")
    assert {id.removeprefix("copy-") for id in published(other)} == published(first)


def test_a_decision_is_neither_changed_nor_taken_back() -> None:
    whole(snapshot_of(frozen(pairs=12), **SHARES), "all")
    row = BlindSentence.objects.first()
    assert row is not None
    with pytest.raises(IntegrityError, match="decided once"), transaction.atomic():
        BlindSentence.objects.update(is_published=False)
    with pytest.raises(IntegrityError, match="decided once"), transaction.atomic():
        row.delete()
    with pytest.raises(IntegrityError, match="is_decided_once"):
        BlindSentence.objects.create(key=row.key, is_published=True, release=row.release)


@pytest.mark.long
def test_a_release_that_fails_has_decided_nothing() -> None:
    snapshot = snapshot_of(frozen(pairs=12), **SHARES)
    first = whole(snapshot, "all")
    count = BlindSentence.objects.count()
    Release.objects.filter(pk=first.pk).update(version="3.0.0")
    late = services.build_release(
        snapshot=grown(snapshot.campaign, frozen(pairs=30)), name="low", by=None
    )
    # As if another release had been built in between.
    Release.objects.filter(pk=late.pk).update(version="3.0.1")
    carried_or_failed(late)
    assert late.failure.startswith("Version 3.0.1 is too low, since questions were added")
    assert (BlindSentence.objects.count(), late.files.count()) == (count, 0)


def carried_or_failed(run: Release) -> None:
    execute_here(run)
    run.refresh_from_db()


@pytest.mark.long
def test_no_training_set_has_the_twin_of_a_blind_or_dev_question() -> None:
    """The complement attack: of two twins, one has the answer that the other has not."""
    snapshot = snapshot_of(frozen(pairs=60, unpaired=20), **SHARES)
    release = selected(snapshot, 0.6, 5, "filtered")
    splits = defaultdict(set)
    twin = {one.id: one.group for one in load_questions(snapshot)}
    for row in read_index(release):
        splits[twin[row["question"]]].add(row["split"])
    assert all(len(found) == 1 for found in splits.values())
    halves = [row for row in read_index(release) if row["split"] == "test"]
    bases = [row["qID"].rpartition("-")[0] for row in halves]
    unpaired = {base for base in bases if bases.count(base) == 1}
    assert len(unpaired) >= 5
    files = contents(release)
    elsewhere = "".join(text for name, text in files.items() if name.startswith(("train", "dev")))
    assert not any(base in elsewhere for base in unpaired)


def near(campaign: Campaign, split: str, *sentences: str) -> list[TwinItem]:
    """A twin with a stored split, as questions of a snapshot."""
    twin = Twin.objects.create(campaign=campaign, origin="published", option1="cup", option2="jar")
    Draw.objects.create(twin=twin, split=split, origin="linked", is_pair=True)
    made = [
        Question.objects.create(twin=twin, number=n, answer=n, sentence=sentence)
        for n, sentence in enumerate(sentences, 1)
    ]
    return [
        TwinItem(
            id=one.public_id, group=str(twin.public_id), sentence=one.sentence,
            options=("cup", "jar"), answer=one.answer,
        )
        for one in made
    ]  # fmt: skip


BLIND = (
    "The carpenter painted the garden fence because the _ looked rotten after winter.",
    "The carpenter painted the garden fence because the _ looked shiny after winter.",
)
ALIKE = (
    "A carpenter painted our garden fence because the _ seemed rotten after the winter.",
    "A carpenter painted our garden fence because the _ seemed bright after the winter.",
)
OTHER = (
    "Anna boiled potatoes in the kettle since the _ was broken that evening.",
    "Anna boiled potatoes in the kettle since the _ was spotless that evening.",
)


def frozen_twins(campaign: Campaign, *twins: list[TwinItem]) -> Snapshot:
    return grown(campaign, sorted((one for twin in twins for one in twin), key=lambda one: one.id))


def left_out(release: Release) -> dict[str, Any]:
    (manifest,) = rows(contents(release)["manifest.json"].replace("\n", ""))
    found: dict[str, Any] = manifest["left_out"]
    return found


@pytest.mark.long
@pytest.mark.parametrize("split", ["train", "dev"])
def test_what_is_nearly_a_blind_question_is_left_out(split: str) -> None:
    campaign = CampaignFactory(near_duplicate="0.60")
    blind, alike = near(campaign, "test", *BLIND), near(campaign, split, *ALIKE)
    other = near(campaign, split, *OTHER)
    release = whole(frozen_twins(campaign, blind, alike, other), "one")
    assert published(release) == {one.id for one in blind}
    assert published(release, split) == {one.id for one in other}
    assert left_out(release) == {"near_duplicate": 2}


def test_without_a_threshold_they_are_published() -> None:
    campaign = CampaignFactory(near_duplicate=1)
    blind, alike = near(campaign, "test", *BLIND), near(campaign, "train", *ALIKE)
    release = whole(frozen_twins(campaign, blind, alike), "one")
    assert published(release, "train") == {one.id for one in alike}


@pytest.mark.long
def test_a_blind_question_that_is_nearly_a_public_one_is_never_published() -> None:
    campaign = CampaignFactory(near_duplicate="0.60")
    alike, other = near(campaign, "train", *ALIKE), near(campaign, "test", *OTHER)
    whole(frozen_twins(campaign, alike, other), "one")
    blind = near(campaign, "test", *BLIND)
    second = whole(frozen_twins(campaign, alike, other, blind), "two")
    assert published(second) == {one.id for one in other}
    assert published(second, "train") == {one.id for one in alike}
    assert left_out(second) == {"near_duplicate": 2}
    third = whole(frozen_twins(campaign, other, blind), "three")  # the public one is gone
    assert published(third) == {one.id for one in other}
    assert left_out(third) == {"blind_not_published": 2} | left_out(third)


def test_the_twin_of_a_blind_question_that_a_filter_removed_is_as_secret() -> None:
    """A training question like it would tell its answer, and so that of its blind twin."""
    campaign = CampaignFactory(near_duplicate="0.60")
    blind = near(campaign, "test", BLIND[0], "Nobody saw where the _ went that rainy evening.")
    alike = near(campaign, "train", "Nobody saw where the _ vanished that rainy evening.", OTHER[0])
    snapshot = frozen_twins(campaign, blind, alike)
    release = of_ids(snapshot, [blind[0].id, *(one.id for one in alike)], "one")
    assert published(release) == {blind[0].id}
    assert published(release, "train") == set()
