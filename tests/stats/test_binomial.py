"""Exact tests of a fair coin, against SciPy's and a simulation of their power."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest
from statsmodels.stats.multitest import multipletests

from stats.binomial import detectable_share, fair_p, fewest_hits
from stats.corrections import holm

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


def test_holm_is_that_of_statsmodels():
    p = np.random.default_rng(0).uniform(0, 0.1, size=30)
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_nothing_is_corrected_to_nothing():
    assert holm([]).tolist() == []
