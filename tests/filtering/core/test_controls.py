"""Cutting a set down to a size: by chance or by score, whole twins or single questions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filtering.core.probes import Reduction, reduce_to

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
