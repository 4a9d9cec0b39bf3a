"""Repeats: which ways of typing make no difference, counts beside an obvious count, what stays."""

import time
import unicodedata
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from collection.core.repeats import (
    Repeats,
    RepeatTable,
    count_repeats,
    later_copies,
    repeat_key,
    typed_alike,
)

TEXT = "Zoë’s cup hit the jar, so _ broke."
OPTIONS = ("the cup", "the jar")
SAME = (
    "Zoë's cup hit the jar, so _ broke.",
    "  ZOË’S  cup\thit the jar , so _ broke",
    unicodedata.normalize("NFD", TEXT),
    "Zoë’s cup hit\u00a0the jar,so _ broke...",
    "Zoë’s\u200b cup hit the \u00adjar, so _ broke.",
    "Ｚoë’s cup hit the jar, so _ broke．",
)
OTHER = (
    "Zoë's cup hit the jar so _ broke.",
    "Zoe's cup hit the jar, so _ broke.",
    "Zoë's cup hit the jar, so it _ broke.",
    "Zoë's cup hit the jar, _ so broke.",
    "Zoë's cup hit the jar, so _ broke!",
    "Zoë's cup hit the jars, so _ broke.",
)


@pytest.mark.parametrize("text", SAME)
def test_ways_of_typing_a_question_make_no_difference(text: str) -> None:
    assert repeat_key(text, options=OPTIONS) == repeat_key(TEXT, options=OPTIONS)
    assert repeat_key(text, options=("The  Jar.", "the cup")) == repeat_key(TEXT, options=OPTIONS)


@pytest.mark.parametrize("text", OTHER)
def test_what_a_reader_sees_makes_a_difference(text: str) -> None:
    assert repeat_key(text, options=OPTIONS) != repeat_key(TEXT, options=OPTIONS)


def test_other_options_make_another_question() -> None:
    assert repeat_key(TEXT, options=("the cup", "the lid")) != repeat_key(TEXT, options=OPTIONS)
    assert repeat_key("a", "b", options=OPTIONS) != repeat_key("ab", options=OPTIONS)


@pytest.mark.long
@given(st.text())
@example("O¨")
@example("⁗")
def test_what_is_typed_alike_is_typed_alike_again(text: str) -> None:
    assert typed_alike(typed_alike(text)) == typed_alike(text)


small = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3), st.integers(1, 5)), max_size=30)


def columns(rows: list[tuple[int, int, int]]) -> list[np.ndarray]:
    return [np.array([row[at] for row in rows], dtype=np.uint64) for at in range(3)]


@given(small)
def test_counts_are_those_of_a_comparison_of_all_pairs(rows: list[tuple[int, int, int]]) -> None:
    keys, answers, _ = columns(rows)
    pairs = [
        (a[1], {b[1] for j, b in enumerate(rows) if j != i and b[0] == a[0]})
        for i, a in enumerate(rows)
    ]
    assert count_repeats(keys, answers) == Repeats(
        questions=len(rows),
        repeated=sum(bool(others) for _, others in pairs),
        same_answer=sum(own > 0 and own in others for own, others in pairs),
        other_answer=sum(own > 0 and bool(others - {0, own}) for own, others in pairs),
    )


@given(small)
def test_groups_that_stay_share_no_question_and_each_that_goes_repeats_one(
    rows: list[tuple[int, int, int]],
) -> None:
    keys, _, groups = columns(rows)
    gone = later_copies(keys, groups)
    holders, kept = defaultdict(set), defaultdict(set)
    for key, group, is_gone in zip(keys, groups, gone, strict=True):
        holders[int(group)].add(bool(is_gone))
        if not is_gone:
            kept[int(key)].add(int(group))
    assert all(len(states) == 1 for states in holders.values())  # whole groups
    assert all(len(found) == 1 for found in kept.values())
    assert all(
        any(int(keys[i]) in kept for i in np.flatnonzero(groups == group))
        for group, states in holders.items()
        if states == {True}
    )
    order = np.random.default_rng(len(rows)).permutation(len(rows))
    assert (later_copies(keys[order], groups[order]) == gone[order]).all()


def test_a_pair_stays_rather_than_a_copy_of_one_of_its_questions() -> None:
    keys = np.array([1, 1, 2], dtype=np.uint64)
    for single, pair in ((8, 9), (9, 8)):
        groups = np.array([single, pair, pair], dtype=np.uint64)
        assert later_copies(keys, groups).tolist() == [True, False, False]


def test_questions_of_several_groups_are_counted() -> None:
    table = RepeatTable()
    for text, group in (("a", "x"), ("a", "x"), ("b", "x"), ("B.", "y"), ("c", "y")):
        table.add(text, options=OPTIONS, answer=None, group=group)
    assert (table.count().repeated, table.across_groups()) == (4, 2)
    assert RepeatTable().count() == Repeats(0, 0, 0, 0)
    assert RepeatTable().across_groups() == 0


def test_fifty_thousand_questions_take_seconds_and_little_memory() -> None:
    table, started = RepeatTable(), time.process_time()
    for n in range(50_000):
        text = f"The cup no. {n % 40_000} hit the jar because _ was far too large to miss it."
        table.add(text, options=OPTIONS, answer=1 + n % 2, group=str(n))
    found, gone = table.count(), table.later_copies()
    assert time.process_time() - started < 10
    assert (found.repeated, found.same_answer, found.other_answer) == (20_000, 20_000, 0)
    assert gone.sum() == 10_000
