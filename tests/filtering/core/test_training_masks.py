"""Training parts drawn by identity."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filtering.core.probes import training_masks
from stats.keys import PhaseKeys, identity_keys, mix

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
