"""People and systems are compared on the same questions: those that people have answered."""

import json

import pytest

from corpora.models import Snapshot
from evaluation import selectors, services
from evaluation.exports.comparisons import FORMATS, comparison_rows
from evaluation.selectors import BesidePeople, Comparable, Compared
from evaluation.selectors.knowledge import people_facts
from panels.models import Panel
from tests.evaluation.done import evaluated
from tests.evaluation.sets import small_set
from tests.factories import ReleaseFactory, UserFactory
from tests.factories.panels import PanelFactory, PanelItemFactory, PanelSeatFactory
from tests.filtering.stages import frozen, snapshot_of
from tests.panels.people import answer_all, claim, of_a_set, vote
from winoplatform.runs.kinds import execute_here
from workers.models import User


def sampled() -> Panel:
    """A human evaluation of one of three pairs, and systems on all of them."""
    data = small_set()
    for seed in range(2):
        evaluated(data, "random", seed=seed)
    evaluated(data)
    return of_a_set(data=data, n_groups=1, seed=3)


def compared_for(user: User) -> tuple[Comparable, Compared, list[BesidePeople]]:
    data, _ = selectors.find_comparable(user, "reference-set", "small", "test")
    found = selectors.compared(list(selectors.evaluations_of(user, data)))
    return data, found, selectors.beside_people(user, data, found)


@pytest.mark.long
def test_systems_are_scored_on_the_questions_of_the_sample_alone(dana: User) -> None:
    evaluation = sampled()
    answer_all(evaluation, UserFactory.create_batch(6))
    _, found, [beside] = compared_for(dana)
    ids = set(evaluation.items.values_list("source_id", flat=True))
    assert (beside.about.n, beside.n_all, beside.is_sample) == (2, 6, True)
    assert (beside.majority.accuracy.value, beside.majority.group_score.n) == (1, 1)
    for system in beside.systems:
        each = [
            one.credit
            for run in system.runs
            for one in selectors.answered_items(run)
            if one.item.id in ids
        ]
        assert system.figures.accuracy.value == pytest.approx(sum(each) / len(each))
        assert system.figures.accuracy.n == 2
        assert system.figures.versus is not None  # the best are people, who are always right
    assert {one.name for one in beside.systems} == {one.name for one in found.systems}


@pytest.mark.long
def test_a_question_that_lacks_a_vote_is_not_among_them(dana: User) -> None:
    evaluation = sampled()
    vote(claim(UserFactory(), evaluation))
    assert compared_for(dana)[2] == []
    answer_all(evaluation, UserFactory.create_batch(2))
    [beside] = compared_for(dana)[2]
    assert beside.about.n == 1


@pytest.mark.long
def test_results_of_people_are_for_curators(dana: User) -> None:
    answer_all(sampled(), UserFactory.create_batch(6))
    data, found, [_beside] = compared_for(dana)
    assert selectors.beside_people(UserFactory(), data, found) == []


@pytest.mark.long
def test_files_say_which_questions_a_row_is_about(dana: User) -> None:
    evaluation = sampled()
    answer_all(evaluation, UserFactory.create_batch(6))
    data, found, people = compared_for(dana)
    rows = comparison_rows(data, found, people)
    same = f"2 of 6 questions, with all votes in human evaluation {evaluation.public_id}"
    assert [row.sample for row in rows] == [""] * 2 + [same] * 4
    assert [(row.method, row.n) for row in rows[2:4]] == [("people", 2), ("people", 6)]
    assert (rows[3].is_compared, rows[3].group_score) == (False, None)
    for ending, (write, _type) in FORMATS.items():
        text = write(rows)
        assert "2 of 6 questions" in text
        if ending == "jsonl":
            assert json.loads(text.splitlines()[2])["sample"] == same
        if ending == "tex":
            assert text.count(r"\midrule") == 4


def asked(snapshot: Snapshot, *options: tuple[int | None, ...]) -> None:
    """An evaluation of the snapshot; each item's right option is 1."""
    of = {"campaign": snapshot.campaign, "snapshot": snapshot, "reference_set": None}
    evaluation = PanelFactory(**of, split="all", n_items=len(options))
    for given in options:
        item = PanelItemFactory(panel=evaluation)
        for option in given:
            PanelSeatFactory(item=item, worker=option and UserFactory(), option=option)


@pytest.fixture
def snapshot() -> Snapshot:
    return snapshot_of(frozen(pairs=3))


def test_a_release_tells_how_people_did_on_fresh_votes(snapshot: Snapshot) -> None:
    asked(snapshot, (1, 1, 1), (1, 1, 2), (1, 2, 2))
    preview = services.preview_release(snapshot=snapshot, by=None)
    execute_here(preview)
    preview.refresh_from_db()
    assert preview.facts is not None
    (told,) = preview.facts["human"]
    counts = ("split", "questions", "people", "votes")
    assert [told[name] for name in counts] == ["all", 3, 9, 9]
    assert (told["majority"]["value"], told["individual"]["value"]) == (0.67, 0.67)


def test_a_split_is_named_with_the_release_that_it_is_of(snapshot: Snapshot) -> None:
    release = ReleaseFactory(snapshot=snapshot, name="first", finished=True, is_public=True)
    evaluation = PanelFactory(
        campaign=snapshot.campaign, release=release, reference_set=None, split="dev"
    )
    item = PanelItemFactory(panel=evaluation)
    for _ in range(3):
        PanelSeatFactory(item=item, worker=UserFactory(), option=1)
    (told,) = people_facts(snapshot)
    assert (told["split"], told["release"]) == ("dev", "first")


def test_an_unfinished_evaluation_is_not_told(snapshot: Snapshot) -> None:
    asked(snapshot, (1, 1, 1))
    asked(snapshot, (1, 1, 2), (1, None, None))
    (told,) = people_facts(snapshot)
    assert told["questions"] == 1


def test_without_one_there_is_nothing_to_tell(snapshot: Snapshot) -> None:
    assert people_facts(snapshot) == []
