"""The pairs of similar sets are those that a comparison of each with each finds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core import similar_sets
from corpora.core.similar_sets import least_common, sets_of, similar_pairs

SETS = st.lists(st.frozensets(st.integers(0, 40), max_size=25), max_size=12)


def arranged(sets):
    tokens = [token for one in sets for token in one]
    sizes = np.array([len(one) for one in sets], dtype=np.int64)
    return sets_of(np.arange(len(sets)), sizes, np.array(tokens, dtype=np.int32))


def found(left, right, threshold):
    pairs = similar_pairs(arranged(left), arranged(right), threshold=threshold)
    return [pair for i, j in pairs for pair in zip(i.tolist(), j.tolist(), strict=True)]


def similarity(one, other):
    """As PostgreSQL does: in single precision, and 0 for empty sets."""
    both = len(one & other)
    return np.float64(np.float32(both) / np.float32(len(one | other))) if both else 0.0


def compared(left, right, threshold):
    numbered = product(enumerate(left), enumerate(right))
    return [(i, j) for (i, a), (j, b) in numbered if similarity(a, b) >= threshold]


@given(SETS, SETS, st.floats(0.05, 1) | st.sampled_from([0.3, 0.6, 0.7, 1.0]))
def test_the_pairs_are_those_of_comparing_each_with_each(left, right, threshold):
    assert sorted(found(left, right, threshold)) == compared(left, right, threshold)


@given(SETS, st.floats(0.2, 1))
def test_pairs_do_not_depend_on_the_sizes_of_parts(sets, threshold):
    whole = sorted(found(sets, sets, threshold))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(similar_sets, "CELLS", 3)
        patched.setattr(similar_sets, "ROWS", 2)
        assert sorted(found(sets, sets, threshold)) == whole


@pytest.mark.parametrize("shared", [1, 3, 100])
def test_pairs_do_not_depend_on_the_prefix(shared, monkeypatch):
    random = np.random.default_rng(0)
    base = [frozenset(random.choice(200, 30, replace=False).tolist()) for _ in range(20)]
    near = [
        frozenset([*sorted(one)[cut:], *range(300, 300 + cut)]) for one in base for cut in (3, 9)
    ]
    monkeypatch.setattr(similar_sets, "SHARED", shared)
    assert sorted(found(base, near, 0.6)) == compared(base, near, 0.6) != []


def test_the_number_of_common_tokens_is_the_smallest_that_is_enough():
    for size, other in product(range(1, 30), repeat=2):
        enough = [c for c in range(min(size, other) + 1) if c >= 0.5 * (size + other - c)]
        expected = enough[0] if enough else min(size, other) + 1
        assert least_common(size, other, 0.5) == expected


@pytest.mark.parametrize("threshold", [0, -0.1, 1.1])
def test_a_threshold_out_of_range_is_refused(threshold):
    with pytest.raises(ValueError, match="threshold must be above 0 and at most 1"):
        found([], [], threshold)
