"""The test of equivalence: seldom wrong at the margin, however pairs hang together; its power."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.equivalence import equivalence


def drawn(rng, n_groups, *, more, less, alike, size=2):
    """Differences of two systems, which a share of the groups has alike in all its rows."""
    own, shared = rng.random((n_groups, size)), rng.random((n_groups, 1))
    chance = np.where(rng.random((n_groups, 1)) < alike, shared, own).ravel()
    return (chance < more).astype(float) - ((chance >= more) & (chance < more + less))


def share_found(times, n_groups, *, margin, seed=0, with_groups=True, size=2, **chances):
    rng, groups = np.random.default_rng(seed), np.repeat(np.arange(n_groups), size)
    names = groups if with_groups else np.arange(len(groups))
    found = [
        equivalence(drawn(rng, n_groups, size=size, **chances), names, margin=margin).p <= 0.05
        for _ in range(times)
    ]
    return np.mean(found)


def most(times):
    return 0.05 + 3 * np.sqrt(0.05 * 0.95 / times)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n_groups", "margin", "less", "alike"),
    [(600, 0.03, 0.05, 0.5), (150, 0.05, 0.0, 1.0), (60, 0.05, 0.0, 0.0)],
)
def test_systems_that_differ_by_the_margin_are_seldom_called_equivalent(
    n_groups, margin, less, alike
):
    chances = {"more": margin + less, "less": less, "alike": alike}
    assert share_found(200, n_groups, margin=margin, **chances) <= most(200)
    turned = {"more": less, "less": margin + less, "alike": alike}
    assert share_found(200, n_groups, margin=margin, **turned) <= most(200)


@pytest.mark.long
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("alike", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("less", [0.0, 0.02, 0.1])
@pytest.mark.parametrize("n_groups", [20, 100, 300, 1000])
def test_that_holds_for_many_sizes_and_ways_to_hang_together(n_groups, less, alike, size):
    for margin in (0.01, 0.03, 0.1):
        chances = {"more": margin + less, "less": less, "alike": alike, "size": size}
        assert share_found(600, n_groups, margin=margin, **chances) <= most(600)


@pytest.mark.long
@pytest.mark.parametrize("sizes", [[50] + [1] * 50, [30] * 2 + [1] * 100, [100] + [1] * 200])
@pytest.mark.parametrize("less", [0.0, 0.1])
def test_it_holds_where_few_groups_have_many_of_the_rows(sizes, less):
    rng, margin, times = np.random.default_rng(0), 0.2, 400
    groups, found = np.repeat(np.arange(len(sizes)), sizes), 0
    for _ in range(times):
        chance = rng.random(len(sizes))[groups]  # a group changes as a whole
        changes = (chance < margin + less).astype(float)
        changes -= (chance >= margin + less) & (chance < margin + 2 * less)
        found += equivalence(changes, groups, margin=margin).p <= 0.05
    assert found / times <= most(times)


def test_a_test_that_ignores_pairs_calls_too_many_equivalent():
    chances = {"more": 0.13, "less": 0.1, "alike": 1.0, "margin": 0.03}
    assert share_found(300, 2000, **chances) <= most(300)
    assert share_found(300, 2000, with_groups=False, **chances) > 0.09


@pytest.mark.parametrize(("n_groups", "alike"), [(630, 0.3), (1200, 0.3), (1500, 1.0)])
def test_equal_systems_are_found_with_the_power_stated(n_groups, alike):
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(n_groups), 2)
    drawings = [drawn(rng, n_groups, more=0.06, less=0.06, alike=alike) for _ in range(300)]
    tests = [equivalence(one, groups, margin=0.03) for one in drawings]
    found = np.mean([test.p <= 0.05 for test in tests])
    assert abs(found - np.mean([test.power for test in tests])) < 0.1
    assert found > 0.1


def test_the_sizes_that_the_default_margin_is_chosen_by():
    def power(n, margin):
        turned = np.zeros(n)
        turned[: n // 20], turned[n // 20 : n // 10] = 1, -1
        mixed = np.random.default_rng(0).permutation(turned)
        return equivalence(mixed, np.arange(n) // 2, margin=margin).power

    assert power(1267, 0.03) == pytest.approx(0.9, abs=0.03)
    assert power(8700, 0.01) == pytest.approx(0.8, abs=0.03)


def test_a_few_rows_without_a_difference_are_no_proof_of_equality():
    for n in (1, 2, 10, 80):
        found = equivalence([0] * n, [None] * n, margin=0.03)
        assert (found.p > 0.1, found.power) == (True, 0)
    assert equivalence([0] * 500, [None] * 500, margin=0.03).p < 0.001
    assert equivalence([], [], margin=0.03).p == 1


rows = st.lists(
    st.tuples(st.sampled_from([-1, -0.5, 0, 0.25, 1]), st.integers(0, 9)), min_size=2, max_size=40
)


@given(rows)
def test_neither_the_order_nor_the_name_of_the_first_system_matters(rows):
    values, groups = [d for d, _ in rows], [g for _, g in rows]
    found = equivalence(values, groups, margin=0.1)
    assert 0 <= found.p <= 1
    assert 0 <= found.power <= 1
    for other in (
        equivalence([-d for d in values], groups, margin=0.1),
        equivalence(values[::-1], groups[::-1], margin=0.1),
    ):
        assert (other.p, other.power) == pytest.approx((found.p, found.power))


def test_a_wider_margin_is_shown_sooner():
    values = [1] * 10 + [-1] * 8 + [0] * 482
    p = [equivalence(values, [None] * 500, margin=margin).p for margin in (0.01, 0.03, 0.05)]
    assert p == sorted(p, reverse=True)
    assert p[0] > 0.1
    assert p[2] < 0.001


def test_bad_input_is_named():
    for values, groups, margin, message in (
        ([0], [], 0.1, "groups must have 1 entries, got 0"),
        ([2], [None], 0.1, "differences must be from -1 to 1"),
        ([np.nan], [None], 0.1, "differences must be from -1 to 1"),
        ([0], [None], 0, "margin must be between 0 and 1, got 0"),
    ):
        with pytest.raises(ValueError, match=message):
            equivalence(values, groups, margin=margin)
