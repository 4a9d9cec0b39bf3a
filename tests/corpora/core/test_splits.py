"""Splits: twins never part, shares are met, order plays no part."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.splits import split_twins

twin_lists = st.lists(st.integers(0, 40), max_size=80).map(
    lambda ids: [f"t{i}" for i in ids if ids.count(i) <= 2]
)


@given(twins=twin_lists, seed=st.integers(0, 2**40), dev=st.floats(0, 0.4), test=st.floats(0, 0.4))
def test_twins_never_part_and_no_split_is_overfull(twins, seed, dev, test):
    split = split_twins(twins, dev=dev, test=test, seed=seed)
    homes = defaultdict(set)
    for twin, home in zip(twins, split, strict=True):
        homes[twin].add(home)
    assert all(len(home) == 1 for home in homes.values())
    counts = Counter(split.tolist())
    for name, share in (("dev", dev), ("test", test)):
        assert round(share * len(twins)) - 1 <= counts[name] <= round(share * len(twins))


@given(seed=st.integers(0, 1000))
def test_the_order_of_the_rows_plays_no_part(seed):
    twins = np.repeat(np.arange(30), 2)
    order = np.random.default_rng(seed).permutation(60)
    split = split_twins(twins, dev=0.2, test=0.2, seed=seed)
    np.testing.assert_array_equal(
        split[order], split_twins(twins[order], dev=0.2, test=0.2, seed=seed)
    )


def test_another_seed_deals_differently():
    twins = np.repeat(np.arange(100), 2)
    one, other = (split_twins(twins, dev=0.3, test=0.3, seed=s) for s in (1, 2))
    assert (one != other).any()
    assert Counter(one.tolist()) == Counter(other.tolist()) == {"train": 80, "dev": 60, "test": 60}


def test_no_rows_give_no_splits():
    assert split_twins([], dev=0.1, test=0.1, seed=0).shape == (0,)


@pytest.mark.parametrize(
    ("dev", "test", "message"),
    [(-0.1, 0.1, "dev must be"), (0.1, 1.0, "test must be"), (0.5, 0.5, "dev \\+ test must be")],
)
def test_shares_that_leave_nothing_to_train_on_are_refused(dev, test, message):
    with pytest.raises(ValueError, match=message):
        split_twins(["a"], dev=dev, test=test, seed=0)
