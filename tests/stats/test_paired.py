"""Exact tests: McNemar's, of rows and of groups, and a fair coin's."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest
from statsmodels.stats.contingency_tables import mcnemar as oracle
from statsmodels.stats.multitest import multipletests

from stats.binomial import detectable_share, fair_p, fewest_hits
from stats.corrections import holm
from stats.paired import mcnemar, randomisation_p

answers = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), max_size=12)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_of_rows_alone_it_is_statsmodels_exact_test(pairs):
    table = np.zeros((2, 2), dtype=int)
    for one, two in pairs:
        table[int(one), int(two)] += 1
    found = mcnemar([one for one, _ in pairs], [two for _, two in pairs])
    assert (found.first_only, found.second_only) == (table[1, 0], table[0, 1])
    expected = oracle(table, exact=True).pvalue if table[1, 0] + table[0, 1] else 1
    assert found.p == pytest.approx(expected)


@given(answers)
def test_of_groups_it_is_the_share_of_all_turns_that_reach_as_far(rows):
    groups = [name for *_, name in rows]
    by_group = {name: sum(a - b for a, b, g in rows if g == name) for name in groups}
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, by_group.values(), strict=True)))
        for signs in product((-1, 1), repeat=len(by_group))
    ]
    expected = np.mean([total >= abs(sum(by_group.values())) for total in sums])
    found = mcnemar([a for a, *_ in rows], [b for _, b, _ in rows], groups)
    assert found.p == pytest.approx(expected)


def test_models_alike_are_told_apart_no_more_often_than_promised_however_groups_hang_together():
    rng, groups, found = np.random.default_rng(0), np.repeat(np.arange(60), 3), []
    for _ in range(400):
        one, two = np.repeat(rng.random((2, 60)) < 0.6, 3, axis=1)
        found.append((mcnemar(one, two, groups).p < 0.05, mcnemar(one, two).p < 0.05))
    held, careless = np.mean(found, axis=0)
    assert held <= 0.07
    assert careless > 0.15  # as if the members of a group were independent


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="must have the same length, got 2, 1 and 2"):
        mcnemar([True, False], [True])


credits = st.lists(st.tuples(st.sampled_from([-1, -0.5, 0, 1 / 3, 0.5, 1]), st.integers(0, 5)))


@given(credits)
def test_with_shared_credits_too_it_is_the_share_of_all_turns_that_reach_as_far(rows):
    sums = [sum(d for d, g in rows if g == name) for name in {g for _, g in rows}]
    totals = [
        abs(sum(sign * d for sign, d in zip(signs, sums, strict=True)))
        for signs in product((-1, 1), repeat=len(sums))
    ]
    expected = np.mean([total >= abs(sum(sums)) - 1e-9 for total in totals])
    found = randomisation_p([d for d, _ in rows], [g for _, g in rows])
    assert found == pytest.approx(expected)


@pytest.mark.long
def test_differences_that_need_rounding_are_found_no_more_often_than_promised():
    rng, found = np.random.default_rng(0), []
    for _ in range(200):
        differences = (rng.random(80) - rng.random(80)) ** 3  # no multiples of anything
        found.append(randomisation_p(differences, [None] * 80) < 0.05)
    assert np.mean(found) <= 0.09


def test_differences_in_one_direction_are_found_whatever_their_size():
    assert randomisation_p(np.full(80, 1 / 7), [None] * 80) == pytest.approx(2**-79)


def test_partial_answers_are_refused_by_mcnemar():
    with pytest.raises(ValueError, match="first must be right or wrong in every row"):
        mcnemar([0.5], [True])
    with pytest.raises(ValueError, match="differences must be finite"):
        randomisation_p([np.nan], [None])
    with pytest.raises(ValueError, match="groups must have 2 entries, got 1"):
        randomisation_p([1, 0], [None])


counts = st.integers(0, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts.filter(lambda one: one[1] > 0))
def test_p_is_that_of_scipy(count):
    hits, n = count
    assert fair_p([hits], [n])[0] == pytest.approx(binomtest(hits, n).pvalue)


@pytest.mark.parametrize("n", [10, 57, 1000])
def test_the_fewest_hits_reject_and_one_less_does_not(n):
    fewest = fewest_hits(n, level=0.01)
    assert fair_p([fewest], [n])[0] <= 0.01 < fair_p([fewest - 1], [n])[0]


def test_too_few_trials_detect_nothing():
    assert fewest_hits(7, level=0.01) is None
    assert detectable_share(7, level=0.01, power=0.8) is None


@pytest.mark.parametrize("power", [0.8, 0.9])
@pytest.mark.parametrize("n", [40, 1200])
def test_the_detectable_share_is_found_with_its_power(n, power):
    share = detectable_share(n, level=1e-4, power=power)
    hits = np.random.default_rng(0).binomial(n, share, size=20_000)
    found = np.mean(fair_p(hits, np.full(20_000, n)) <= 1e-4)
    assert abs(found - power) < 4 * np.sqrt(power * (1 - power) / 20_000)


def test_a_million_trials_are_counted_exactly():
    fewest = fewest_hits(1_000_000, level=1e-6)
    assert 2 * binom.sf(fewest - 1, 1_000_000, 0.5) <= 1e-6


@pytest.mark.long
def test_holm_is_that_of_statsmodels():
    p = np.random.default_rng(0).uniform(0, 0.1, size=30)
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_nothing_is_corrected_to_nothing():
    assert holm([]).tolist() == []
