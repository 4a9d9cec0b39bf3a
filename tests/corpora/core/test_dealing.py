"""Dealing: every split has its share after any number of deals, and nobody foresees a card."""

import random
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpora.core.dealing import DealBalance, deal, groups
from corpora.core.pair_order import annotators_order, unbalanced_pairs
from corpora.core.splits import split_twins

SHARES = st.tuples(st.integers(0, 50), st.integers(0, 49))  # percent of dev, of test


def deals(sizes, *, dev, test, seed=0):
    """Deal one after the other, as a campaign does from snapshot to snapshot."""
    rng, got, n = random.Random(seed), Counter(), 0
    for size in sizes:
        owed = DealBalance(n * dev - got["dev"], n * test - got["test"])
        got.update(deal([0] * size, dev=dev, test=test, owed=owed, rng=rng))
        n += size
        yield n, got


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 12), max_size=40), SHARES, st.integers(0, 99))
def test_the_running_share_is_less_than_two_units_off(sizes, shares, seed):
    dev, test = (share / 100 for share in shares)
    for n, got in deals(sizes, dev=dev, test=test, seed=seed):
        assert got.total() == n
        assert abs(got["dev"] - dev * n) < 2
        assert abs(got["test"] - test * n) < 2


def test_the_starters_pairs_make_a_dev_and_a_test_of_25_at_least():
    for seed in range(50):
        got = Counter(
            deal([0] * 148, dev=0.2, test=0.2, owed=DealBalance(), rng=random.Random(seed))
        )
        assert got["dev"] in (29, 30)
        assert got["test"] in (29, 30)


def test_a_single_unit_goes_anywhere_as_often_as_its_share_says():
    rng = random.Random(0)
    got = Counter(deal([0], dev=0.1, test=0.2, owed=DealBalance(), rng=rng)[0] for _ in range(4000))
    # Five standard errors.
    assert abs(got["dev"] / 4000 - 0.1) < 0.024
    assert abs(got["test"] / 4000 - 0.2) < 0.032


def test_every_place_of_a_deal_is_as_likely_as_any_other():
    rng, places = random.Random(0), Counter()
    for _ in range(2000):
        splits = deal([0] * 10, dev=0.1, test=0.1, owed=DealBalance(), rng=rng)
        places[splits.index("test")] += 1
    assert len(places) == 10
    assert all(abs(times - 200) < 5 * 200**0.5 for times in places.values())


@pytest.mark.parametrize(
    ("dev", "test", "message"),
    [(-0.1, 0.1, "dev must be"), (0.1, 1.0, "test must be"), (0.5, 0.5, "dev \\+ test must be")],
)
def test_shares_that_leave_nothing_to_train_on_are_refused(dev, test, message):
    with pytest.raises(ValueError, match=message):
        deal([0], dev=dev, test=test, owed=DealBalance(), rng=random.Random(0))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40))
def test_groups_are_those_of_a_slow_obvious_search(links):
    members = list(range(25))
    found = groups(members, links)
    assert sorted(member for group in found for member in group) == members
    for group in found:
        assert reachable(group[0], links) & set(members) == set(group)


def reachable(start, links):
    seen = {start}
    while more := {x for link in links if seen & set(link) for x in link} - seen:
        seen |= more
    return seen


def strata_of(n, rng):
    """Strata of very different sizes, in any order."""
    return [rng.choices("abcd", weights=(60, 25, 10, 5))[0] for _ in range(n)]


@pytest.mark.parametrize("shares", [(0.1, 0.1), (0.2, 0.3), (0.0, 0.15)])
def test_every_stratum_is_within_three_units_of_its_share(shares):
    dev, test = shares
    for seed in range(60):
        rng = random.Random(seed)
        strata = strata_of(rng.randint(1, 400), rng)
        splits = deal(strata, dev=dev, test=test, owed=DealBalance(), rng=rng)
        for stratum, n in Counter(strata).items():
            got = Counter(s for s, of in zip(splits, strata, strict=True) if of == stratum)
            assert abs(got["dev"] - dev * n) < 3
            assert abs(got["test"] - test * n) < 3


def test_without_strata_a_small_one_is_further_off():
    """The control: the same units, dealt as if they were of one stratum."""
    worst = 0.0
    for seed in range(60):
        rng = random.Random(seed)
        strata = strata_of(400, rng)
        splits = deal([0] * 400, dev=0.2, test=0.3, owed=DealBalance(), rng=rng)
        n = strata.count("b")
        got = sum(s == "test" for s, of in zip(splits, strata, strict=True) if of == "b")
        worst = max(worst, abs(got - 0.3 * n))
    assert worst > 5


def test_a_unit_of_any_stratum_goes_anywhere_as_often_as_its_share_says():
    """An outsider who knows all strata, and a twin alone in its stratum, predicts nothing."""
    rng, strata = random.Random(1), [*"aaaaaaabbbc"]
    places = Counter()
    for _ in range(4000):
        splits = deal(strata, dev=0.1, test=0.2, owed=DealBalance(), rng=rng)
        places.update((unit, split) for unit, split in enumerate(splits))
    for unit in range(len(strata)):
        # Five standard errors.
        assert abs(places[unit, "test"] / 4000 - 0.2) < 0.032
        assert abs(places[unit, "dev"] / 4000 - 0.1) < 0.024


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
def test_shares_that_leave_no_part_to_train_on_are_refused(dev, test, message):
    with pytest.raises(ValueError, match=message):
        split_twins(["a"], dev=dev, test=test, seed=0)


def nearest(order, pairs):
    """The smallest distance between the two of a pair."""
    place = {row: k for k, row in enumerate(order)}
    rows = {}
    for row, pair in enumerate(pairs):
        rows.setdefault(pair, []).append(place[row])
    return min(abs(two[0] - two[1]) for two in rows.values() if len(two) == 2)


def test_pairs_without_one_true_and_one_false_problem_are_named():
    assert unbalanced_pairs(["a", "b", "a", "b"], [True, False, False, True]) == []
    assert unbalanced_pairs(["a", "b", "a", "c"], [True, False, True, True]) == [0, 1, 3]


@pytest.mark.parametrize("n_pairs", [20, 21, 30, 50, 281, 1000])
def test_the_two_of_a_pair_are_at_least_twenty_apart(n_pairs):
    pairs = [k // 2 for k in range(2 * n_pairs)]
    for annotator in range(6):
        order = annotators_order(pairs, seed=7, annotator=annotator)
        assert sorted(order) == list(range(2 * n_pairs))
        assert nearest(order, pairs) >= 20


@given(st.integers(1, 19), st.integers(0, 5), st.integers(0, 99))
def test_few_pairs_are_as_far_apart_as_all_can_be(n_pairs, n_alone, seed):
    pairs = [k // 2 for k in range(2 * n_pairs)] + [f"alone {k}" for k in range(n_alone)]
    order = annotators_order(pairs, seed=seed, annotator=1)
    assert sorted(order) == list(range(len(pairs)))
    assert nearest(order, pairs) >= n_pairs


def test_each_annotator_has_an_own_order_that_the_seed_gives_again():
    pairs = [k // 2 for k in range(562)]
    orders = [annotators_order(pairs, seed=3, annotator=k) for k in range(6)]
    assert len(set(map(tuple, orders))) == 6
    assert annotators_order(pairs, seed=3, annotator=4) == orders[4]
    assert annotators_order(pairs, seed=4, annotator=4) != orders[4]


def test_either_problem_of_a_pair_can_come_first():
    pairs = [k // 2 for k in range(562)]
    n_first = 0
    for annotator in range(40):
        place = {r: k for k, r in enumerate(annotators_order(pairs, seed=1, annotator=annotator))}
        n_first += sum(place[row] < place[row + 1] for row in range(0, 562, 2))
    assert abs(n_first / (40 * 281) - 0.5) < 0.02


def test_three_problems_are_no_pair():
    with pytest.raises(ValueError, match="at most two"):
        annotators_order(["a", "a", "a"], seed=1, annotator=1)


def test_no_problems_have_an_empty_order():
    assert annotators_order([], seed=1, annotator=1) == []
