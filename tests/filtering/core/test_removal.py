"""Who goes: exact thresholds, ties, groups."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filtering.core.removal import Votes, choose
from stats.keys import identity_keys

TIE = np.uint64(12345)


def votes(*pairs):
    correct, held_out = np.array(pairs, dtype=np.int64).T
    return Votes(correct, held_out)


def removal(found, *, k, tau=0.75, sizes=None, tie=TIE):
    n = len(found.correct)
    sizes = np.ones(n, dtype=np.int64) if sizes is None else np.array(sizes)
    return choose(
        found, k=k, tau=tau, keys=identity_keys(range(n), name="ids"), tie=tie, sizes=sizes
    )


@given(
    held_out=st.integers(1, 200),
    correct=st.integers(0, 200),
    tau=st.integers(0, 1000).map(lambda i: i / 1000),
)
def test_the_threshold_is_compared_as_fractions(held_out, correct, tau):
    correct = min(correct, held_out)
    reached = bool(votes((correct, held_out)).at_least(tau)[0])
    assert reached == (Fraction(correct, held_out) >= Fraction(str(tau)))


@pytest.mark.parametrize(
    ("correct", "held_out", "tau"), [(3, 4, 0.75), (11, 20, 0.55), (7, 10, 0.7)]
)
def test_exactly_tau_is_removed(correct, held_out, tau):
    assert removal(votes((correct, held_out)), k=5, tau=tau).removed.tolist() == [True]


def test_a_row_never_held_out_is_not_removed_even_at_tau_0():
    found = removal(votes((0, 0), (0, 4)), k=5, tau=0.0)
    assert found.removed.tolist() == [False, True]
    assert found.eligible == 1


def test_the_highest_scores_go_first():
    found = removal(votes((9, 10), (8, 10), (10, 10), (1, 10)), k=2)
    assert found.removed.tolist() == [True, False, True, False]
    assert (found.eligible, found.tied_at_cutoff) == (3, 1)


def test_ties_at_the_cutoff_are_counted_and_chance_decides():
    tied = votes(*[(4, 4)] * 40, (3, 4))
    chosen = [removal(tied, k=10, tie=np.uint64(t)).removed for t in range(400)]
    assert {int(c.sum()) for c in chosen} == {10}
    assert not any(c[40] for c in chosen)
    # Each of the 40 goes in a quarter of 400 draws, give or take five standard deviations.
    assert np.abs(np.sum(chosen, axis=0)[:40] - 100).max() < 5 * np.sqrt(400 * 0.25 * 0.75)
    assert removal(tied, k=10).tied_at_cutoff == 40


def test_nothing_eligible_removes_nothing():
    found = removal(votes((1, 2), (0, 2)), k=1)
    assert not found.removed.any()
    assert (found.eligible, found.tied_at_cutoff) == (0, 0)


def test_the_last_group_may_take_the_number_over_k():
    found = removal(votes((4, 4), (4, 4), (4, 4)), k=3, sizes=[2, 2, 2])
    assert found.removed.sum() == 2
    assert (found.eligible, found.tied_at_cutoff) == (6, 6)


def test_a_groups_votes_are_its_rows_sum_and_need_every_row():
    units = np.array([0, 0, 1, 1, 2])
    pooled = votes((4, 4), (2, 4), (3, 3), (0, 0), (1, 2)).pooled(units, 3)
    assert pooled.correct.tolist() == [6, 0, 1]
    assert pooled.held_out.tolist() == [8, 0, 2]
    assert pooled.at_least(0.75).tolist() == [True, False, False]
