"""Several systems on the same questions, against figures counted by hand."""

from typing import Any

import numpy as np
import pytest

from corpora.core.items import Item
from corpora.core.metrics import choice_shares
from evaluation.core.side_by_side import Scores, side_by_side
from stats.groups import group_numbers


def item(n: int, group: str, answer: int = 1, **fields: Any) -> Item:
    asked = {"sentence": f"No. {n} is _.", "options": ("red", "blue")} | fields
    return Item(id=str(n), group=group, answer=answer, **asked)


def answers(*chosen: int) -> Scores:
    """Scores of a system that chooses these options, 0 for a tie."""
    rows = {0: [1.0, 1.0], 1: [1.0, 0.0], 2: [0.0, 1.0]}
    return [np.array(rows[one]) for one in chosen]


PAIRS = [item(n, group, answer) for n, (group, answer) in enumerate(
    [(g, a) for g in "abcd" for a in (1, 2)]
)]  # fmt: skip


def test_systems_are_compared_with_the_most_accurate() -> None:
    right = answers(1, 2, 1, 2, 1, 2, 1, 2)
    blind = answers(1, 1, 1, 1, 2, 2, 2, 2)
    found = side_by_side(PAIRS, [[blind], [right]])
    one, best = found.systems
    assert (best.accuracy.value, best.group_score.value, best.versus) == (1, 1, None)
    assert (one.accuracy.value, one.group_score.value) == (0.5, 0)
    assert one.versus is not None
    # Each of four groups is half a point worse: 2 of 16 sign assignments are as far from 0.
    assert (one.versus.difference.value, one.versus.p_corrected) == (-0.5, 2 / 16)
    assert (found.n, found.n_groups) == (8, 4)
    assert (found.chance.single, found.chance.group) == (0.5, 0.25)
    assert (found.trigger_blind.single, found.trigger_blind.group) == (0.5, 0)


def test_seeds_are_one_system_with_their_mean_and_spread() -> None:
    runs = [answers(1, 2, 1, 2, 1, 2, 1, 2), answers(2, 1, 2, 1, 2, 1, 2, 1)]
    [one] = side_by_side(PAIRS, [runs]).systems
    assert one.seeds is not None
    assert (one.accuracy.value, one.group_score.value) == (0.5, 0.5)
    assert (one.seeds.accuracy.mean, one.seeds.accuracy.best) == (0.5, 1)
    assert one.seeds.accuracy.sd == pytest.approx(2**-0.5)


def test_a_tie_shares_the_credit() -> None:
    [one] = side_by_side(PAIRS, [[answers(*[0] * 8)]]).systems
    assert (one.accuracy.value, one.group_score.value) == (0.5, 0.25)


def test_chance_is_that_of_a_blind_method_if_the_questions_of_a_group_are_one_text() -> None:
    hidden = [item(n, group, answer, sentence="_") for n, (group, answer) in enumerate(
        [(g, a) for g in "ab" for a in (1, 2)]
    )]  # fmt: skip
    found = side_by_side(hidden, [[answers(1, 1, 2, 2)]])
    assert found.is_trigger_hidden
    assert (found.chance.group, found.chance.group_exact) == (0, True)
    assert not side_by_side([item(1, "a"), item(2, "b")], [[answers(1, 1)]]).is_trigger_hidden


def test_each_system_has_the_chance_of_its_own_choices() -> None:
    right, blind = answers(1, 2, 1, 2, 1, 2, 1, 2), answers(1, 1, 1, 1, 2, 2, 2, 2)
    unanswered: Scores = [None, *answers(2, 1, 2, 1, 2, 1, 2)]
    found = [one.chance for one in side_by_side(PAIRS, [[right], [blind], [unanswered]]).systems]
    assert [one.group for one in found] == [0.5, 0, 0.375]
    assert (found[1].single_exact, found[1].group_exact) == (True, True)
    assert found[2].single == 7 / 16


def test_the_chance_of_true_and_false_is_that_of_the_most_frequent_answer() -> None:
    fields = {"form": "truth", "span": (0, 2), "candidate": "red", "options": ("true", "false")}
    items = [item(n, "ab"[n // 2], answer, **fields) for n, answer in enumerate([1, 2, 2, 2])]
    found = side_by_side(items, [[answers(1, 1, 1, 1)]])
    assert found.constant == found.chance == found.systems[0].chance
    assert (found.chance.single, found.chance.group) == (0.75, 0.5)


def test_consistency_needs_the_switched_versions() -> None:
    items = [
        item(1, "1"), item(1, "1", 2), item(2, "2"), item(2, "2", 2),
    ]  # fmt: skip
    items = [
        Item(id=f"{one.id}-switched" if n % 2 else one.id, group=one.group, sentence=one.sentence,
             options=one.options, answer=one.answer)
        for n, one in enumerate(items)
    ]  # fmt: skip
    found = side_by_side(items, [[answers(1, 2, 1, 1)]], groups_before={"1": "g", "2": "g"})
    consistency = found.systems[0].consistency
    assert consistency is not None
    figures = (consistency.consistency, consistency.before, consistency.after)
    assert [figure.value for figure in figures] == [0.5, 1, 0.5]
    assert side_by_side(PAIRS, [[answers(*[1] * 8)]]).systems[0].consistency is None


def test_winogenders_gaps_count_gotchas_of_gendered_sentences() -> None:
    about = [
        ("female", True),
        ("female", False),
        ("male", True),
        ("male", False),
        ("neutral", None),
    ]
    items = [
        item(n, f"{occupation}{n}", metadata={"gender": gender, "occupation": occupation}
             | ({} if gotcha is None else {"gotcha": gotcha}))
        for occupation in ("nurse", "pilot")
        for n, (gender, gotcha) in enumerate(about)
    ]  # fmt: skip
    # Right on all but the female gotchas, and one male sentence that is none.
    [one] = side_by_side(items, [[answers(2, 1, 1, 2, 1, 2, 1, 1, 1, 1)]]).systems
    female, male = one.gotchas["female"], one.gotchas["male"]
    assert (female.non_gotcha.value, female.gotcha.value, female.delta.value) == (1, 0, 1)
    assert (male.non_gotcha.value, male.gotcha.value, male.delta.value) == (0.5, 1, -0.5)


def test_winobias_gaps_are_over_complete_pairs() -> None:
    items = [
        item(n, group, metadata={"stereotype": side, "type": 1})
        for n, (group, side) in enumerate(
            [("a", "pro"), ("a", "anti"), ("b", "pro"), ("b", "anti"), ("c", "pro")]
        )
    ]
    [one] = side_by_side(items, [[answers(1, 2, 1, 1, 2)]]).systems
    gap = one.stereotypes["1"]
    assert (gap.pro.value, gap.anti.value, gap.gap.value) == (1, 0.5, 0.5)
    assert (gap.pro.n, gap.anti.n) == (2, 2)  # the sentence without its pair is not counted


def test_other_metadata_gives_no_bias() -> None:
    items = [item(1, "a", metadata={"gender": "female"}), item(2, "a", metadata={"type": 1})]
    [one] = side_by_side(items, [[answers(1, 1)]]).systems
    assert (one.gotchas, one.stereotypes) == ({}, {})


def test_items_without_answers_are_refused() -> None:
    blind = Item(id="1", group="1", sentence="_", options=("red", "blue"))
    with pytest.raises(ValueError, match="must all have answers"):
        side_by_side([blind], [[answers(1)]])


def test_numbered_groups_are_numbered_as_their_names_are() -> None:
    names = ["b", "a", "b", "c", "a", "c", "d"]
    codes = np.array([7, 3, 7, 90, 3, 90, -1])
    assert group_numbers(codes).tolist() == group_numbers(names).tolist() == [0, 1, 0, 2, 1, 2, 3]
    assert group_numbers(codes[:0]).tolist() == []


@pytest.mark.parametrize(
    "rows", [[[1.0, 2.0, 2.0], [0.5, 0.1, 0.2]], [[1.0, 2.0], [3.0, 3.0, 3.0]]]
)
def test_arrays_share_the_choice_as_lists_do(rows: list[list[float]]) -> None:
    arrays = [share.tolist() for share in choice_shares([np.array(row) for row in rows])]
    assert arrays == [share.tolist() for share in choice_shares(rows)]


@pytest.mark.parametrize("row", [[1.0, np.nan], [1.0]])
def test_an_array_of_wrong_scores_is_refused_with_its_item(row: list[float]) -> None:
    good = [0.0] * len(row)
    with pytest.raises(ValueError, match=r"got .* at 1|got .* at 0"):
        choice_shares([np.array(good), np.array(row)])


def test_an_unanswered_question_is_wrong() -> None:
    scores = [*answers(1, 2, 1, 2, 1, 2, 1), None]
    [one] = side_by_side(PAIRS, [[scores]]).systems
    assert (one.accuracy.value, one.accuracy.n) == (7 / 8, 8)
    assert (one.group_score.value, one.n_dropped) == (3 / 4, 0)


def test_a_system_that_dropped_questions_has_figures_of_the_others_and_is_compared_with_none() -> (
    None
):
    dropped = [np.empty(0), np.empty(0), *answers(1, 2, 1, 2, 2, 1)]
    right, blind = answers(1, 2, 1, 2, 1, 2, 1, 2), answers(1, 1, 1, 1, 1, 1, 1, 1)
    found = side_by_side(PAIRS, [[dropped], [right], [blind]])
    partial, best, other = found.systems
    assert (partial.accuracy.value, partial.accuracy.n) == (4 / 6, 6)
    assert (partial.group_score.value, partial.group_score.n) == (2 / 3, 3)
    assert (partial.n_dropped, partial.versus) == (2, None)
    assert best.versus is None
    assert other.versus is not None
    # The correction is over the systems that are compared.
    assert found.systems[1:] == side_by_side(PAIRS, [[right], [blind]]).systems
