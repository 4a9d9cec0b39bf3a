"""When a validator is warned, when paused, and which votes make a gold question."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.coverage_notes import rows
from validation.core.golds import FEWEST, WINDOW, Step, can_be_gold, next_step
from validation.core.ranks import APPEALED, REPORTED, case_rank
from validation.core.verdicts import Ballot

RIGHT, WRONG = True, False
GOOD = Ballot(1, False, None)


@pytest.mark.parametrize(
    ("answers", "warned", "step"),
    [
        ([], False, Step.NOTHING),
        ([WRONG] * (FEWEST - 1), False, Step.NOTHING),
        ([WRONG] * FEWEST, False, Step.WARN),
        ([WRONG] * FEWEST, True, Step.PAUSE),
        ([RIGHT] * 7 + [WRONG] * 3, False, Step.NOTHING),  # just enough
        ([RIGHT] * 6 + [WRONG] * 4, False, Step.WARN),
        ([RIGHT] * WINDOW + [WRONG] * 100, False, Step.NOTHING),  # long ago
    ],
)
def test_by_hand(answers: list[bool], warned: bool, step: Step) -> None:
    assert next_step(answers, pass_share=0.7, warned=warned) == step


@given(st.lists(st.booleans(), max_size=40), st.floats(0, 1), st.booleans())
def test_nobody_is_paused_without_a_warning(
    answers: list[bool], share: float, warned: bool
) -> None:
    step = next_step(answers, pass_share=share, warned=warned)
    assert step in ({Step.NOTHING, Step.PAUSE} if warned else {Step.NOTHING, Step.WARN})


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 39), st.floats(0, 1))
def test_a_better_answer_never_hurts(answers: list[bool], place: int, share: float) -> None:
    better = [right or number == place for number, right in enumerate(answers)]
    if next_step(answers, pass_share=share, warned=False) is Step.NOTHING:
        assert next_step(better, pass_share=share, warned=False) is Step.NOTHING


@pytest.mark.parametrize(
    ("ballots", "is_so"),
    [
        ([GOOD] * 3, True),
        ([GOOD] * 2, False),
        ([GOOD, GOOD, Ballot(2, False, None)], False),
        ([GOOD, GOOD, Ballot(1, True, None)], False),
        ([GOOD, GOOD, Ballot(1, False, 1)], False),
        ([GOOD, GOOD, Ballot(1, False, 2)], True),
    ],
)
def test_gold_is_beyond_doubt(ballots: list[Ballot], is_so: bool) -> None:
    assert can_be_gold(ballots, answer=1) is is_so


def test_appeals_come_before_reports_and_reports_before_splits() -> None:
    tie = {"votes": 4, "correct": 2, "unambiguous": 4, "local": 0}
    split = {"votes": 3, "correct": 2, "unambiguous": 3, "local": 0}
    clear = {"votes": 3, "correct": 3, "unambiguous": 3, "local": 0}
    ranks = [
        case_rank(counts=clear, reports=0, appealed=True),
        case_rank(counts=None, reports=100, appealed=False),
        case_rank(counts=tie, reports=1, appealed=False),
        case_rank(counts=clear, reports=1, appealed=False),
        case_rank(counts=tie, reports=0, appealed=False),
        case_rank(counts=split, reports=0, appealed=False),
        case_rank(counts=clear, reports=0, appealed=False),
    ]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[-1] == 0
    assert ranks[0] == APPEALED
    assert ranks[3] == REPORTED
    assert case_rank(counts=tie, reports=99, appealed=True) < 2**15


NOTES = {"note, agreement with others", "note, control questions", "note, very fast votes"}


@pytest.mark.long
def test_every_row_can_be_simulated() -> None:
    for row in rows():
        before, after = row.draw(np.random.default_rng(0))
        assert {type(before), type(after)} <= {bool, np.bool_, type(None)}, row


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(NOTES))
def test_equal_validators_rarely_get_a_note(name: str) -> None:
    few = [row for row in rows() if row.figure == name and ", 100 questions" in row.setting]
    sets = [row.draw(np.random.default_rng([k, n])) for k, row in enumerate(few) for n in range(20)]
    before, after = np.mean(sets, axis=0)
    # 14 or more of 160 are as rare as 4 in 100 at 5 %.
    assert after < 14 / 160 < before
