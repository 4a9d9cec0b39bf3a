"""Who goes, and cutting a set down to a size; training parts drawn by identity."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filtering.core.probes import Reduction, reduce_to, training_masks
from filtering.core.removal import Votes, choose
from stats.keys import PhaseKeys, identity_keys, mix

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


PAIRS, UNPAIRED = 20, 5
TWINS = [f"t{i // 2}" for i in range(2 * PAIRS)] + [f"l{i}" for i in range(UNPAIRED)]
IDS = [f"q{i}" for i in range(len(TWINS))]
N = len(IDS)


def reduced(size: int, **changes: object) -> Reduction:
    arguments = {"ids": IDS, "twins": TWINS, "seed": 0, "removal": "together", "scores": None}
    return reduce_to(size, **{**arguments, **changes})


def broken(found: Reduction) -> int:
    kept = ~found.removed[: 2 * PAIRS]
    return int((kept[::2] != kept[1::2]).sum())


def scores(seed: int = 0) -> np.ndarray:
    of_twin = np.random.default_rng(seed).integers(0, 6, PAIRS + UNPAIRED).astype(float)
    return np.concatenate([np.repeat(of_twin[:PAIRS], 2), of_twin[PAIRS:]])


@given(size=st.integers(0, N), seed=st.integers(0, 99), scored=st.booleans())
def test_together_no_twin_is_broken_and_at_most_one_place_stays_empty(
    size: int, seed: int, scored: bool
) -> None:
    found = reduced(size, seed=seed, scores=scores(seed) if scored else None)
    assert broken(found) == 0
    assert size - 1 <= (~found.removed).sum() <= size


@given(size=st.integers(0, N), seed=st.integers(0, 99))
def test_by_score_the_lowest_stay_and_at_most_one_twin_is_broken(size: int, seed: int) -> None:
    values = scores(seed)
    found = reduced(size, seed=seed, removal="individual", scores=values)
    assert (~found.removed).sum() == size
    assert broken(found) <= 1
    if 0 < size < N:
        cutoff = values[found.removed].min()
        assert values[~found.removed].max() <= cutoff
        assert found.tied_at_cutoff == (values == cutoff).sum()


def test_by_chance_single_questions_go_whatever_their_twins_do() -> None:
    found = reduced(N // 2, removal="individual")
    assert (~found.removed).sum() == N // 2
    assert broken(found) > 3
    assert found.tied_at_cutoff == 0


@pytest.mark.parametrize("removal", ["individual", "together"])
@pytest.mark.parametrize("scored", [True, False])
def test_the_order_of_the_rows_plays_no_part(removal: str, scored: bool) -> None:
    values = scores() if scored else None
    order = np.random.default_rng(1).permutation(N)
    found = reduced(17, removal=removal, scores=values)
    moved = reduced(
        17,
        removal=removal,
        scores=None if values is None else values[order],
        ids=[IDS[i] for i in order],
        twins=[TWINS[i] for i in order],
    )
    assert (moved.removed == found.removed[order]).all()


def test_another_seed_chooses_others_also_among_ties() -> None:
    tied = np.zeros(N)
    for values in (None, tied):
        first, second = (reduced(20, seed=seed, scores=values).removed for seed in (0, 1))
        assert (first != second).any()


def test_a_size_that_the_set_has_not_is_refused() -> None:
    with pytest.raises(ValueError, match=f"size must be from 0 to {N}"):
        reduced(N + 1)


KEYS = identity_keys([f"row {i}" for i in range(200)], name="ids")
PHASE = PhaseKeys.of(seed=3, phase=1, n=500)


def test_every_part_holds_m_rows_and_each_row_its_share():
    masks = training_masks(KEYS, m=50, members=PHASE.members)
    assert masks.shape == (200, 500)
    assert (masks.sum(axis=0) == 50).all()
    # Each row is in 500/4 parts, give or take five standard deviations.
    assert np.abs(masks.sum(axis=1) - 125).max() < 5 * np.sqrt(500 * 0.25 * 0.75)


@pytest.mark.parametrize("m", [1, 2, 50, 199])
@pytest.mark.parametrize("least", [0, 2**63], ids=["spread evenly", "all in the upper half"])
def test_a_part_is_the_rows_with_the_m_smallest_draws(m, least, monkeypatch):
    draws = mix(KEYS) | np.uint64(least)
    monkeypatch.setattr("filtering.core.probes.mix", lambda _: draws)
    masks = training_masks(KEYS, m=m, members=PHASE.members[:2])
    assert set(np.flatnonzero(masks[:, 1])) == set(np.argsort(draws)[:m])


def test_members_draw_independently():
    masks = training_masks(KEYS, m=100, members=PHASE.members).astype(int)
    shared = [int(a @ b) for a, b in pairwise(masks.T)]
    # Two random halves of 200 share 50 rows on average, with a deviation of 3.5.
    assert abs(np.mean(shared) - 50) < 1
    assert max(shared) < 75 > 25 < min(shared)


def test_a_draw_follows_the_row_not_its_position():
    order = np.random.default_rng(0).permutation(200)
    masks = training_masks(KEYS, m=50, members=PHASE.members)
    moved = training_masks(KEYS[order], m=50, members=PHASE.members)
    np.testing.assert_array_equal(moved, masks[order])


@given(n_pairs=st.integers(1, 20), n_unpaired=st.integers(0, 5), data=st.data())
def test_groups_are_trained_on_whole_or_not_at_all(n_pairs, n_unpaired, data):
    units = np.concatenate([np.repeat(np.arange(n_pairs), 2), n_pairs + np.arange(n_unpaired)])
    m = data.draw(st.integers(1, len(units)))
    masks = training_masks(
        KEYS[: n_pairs + n_unpaired], m=m, members=PHASE.members[:8], units=units
    )
    pairs = masks[: 2 * n_pairs].reshape(n_pairs, 2, -1)
    assert (pairs[:, 0] == pairs[:, 1]).all()
    assert ((masks.sum(axis=0) == m) | (masks.sum(axis=0) == m - 1)).all()
    if m % 2 == 0 or n_unpaired == len(units):
        assert n_unpaired or (masks.sum(axis=0) == m).all()
