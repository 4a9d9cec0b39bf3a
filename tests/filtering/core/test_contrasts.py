"""Contrasts over twins: against statsmodels' cluster-robust regression, Welch and Student."""

import numpy as np
import pytest
from scipy.stats import t, ttest_1samp, ttest_ind
from statsmodels.regression.linear_model import OLS
from statsmodels.tools import add_constant

from filtering.core.contrasts import contrast
from stats.intervals import clustered_share


def test_a_difference_has_the_error_of_a_cluster_robust_regression() -> None:
    rng = np.random.default_rng(0)
    units = np.arange(200) // 2
    values = rng.normal(size=200) + rng.normal(size=100)[units]
    kept = rng.random(200) < 0.6
    found = contrast(values, kept, units)
    fitted = OLS(values, add_constant((~kept).astype(float))).fit(
        cov_type="cluster", cov_kwds={"groups": units, "use_correction": False}
    )
    assert found.difference == pytest.approx(fitted.params[1])
    # A little wider: of its units, fewer on either side than in all, each side pays one.
    ends, wider = fitted.conf_int()[1], (found.high - found.low) / np.ptp(fitted.conf_int()[1])
    assert (found.low + found.high) / 2 == pytest.approx(ends.mean())
    assert 1 < wider < 1.05
    assert fitted.pvalues[1] < found.p < 1.5 * fitted.pvalues[1]


def test_unpaired_rows_on_two_sides_are_compared_as_by_welch() -> None:
    rng = np.random.default_rng(0)
    values, kept = rng.normal(size=60), np.arange(60) < 30
    found, welch = (
        contrast(values, kept, np.arange(60)),
        ttest_ind(values[~kept], values[kept], equal_var=False),
    )
    error = (found.high - found.low) / 2 / t.ppf(0.975, 29)
    assert found.difference / error == pytest.approx(welch.statistic)
    mean = ttest_1samp(values[kept], 0).confidence_interval()
    assert (found.kept.low, found.kept.high) == pytest.approx((mean.low, mean.high))


def test_a_few_twins_tell_nothing_for_certain() -> None:
    values, kept = np.array([1.0, 0.0, 0.0]), np.array([True, False, False])
    found = contrast(values, kept, np.array([0, 1, 1]))
    assert (found.difference, found.low, found.high, found.p) == (-1, None, None, None)
    assert (found.kept.value, found.kept.low, found.removed.high) == (1, None, None)


def test_rows_without_a_value_take_no_part_and_an_empty_side_has_no_difference() -> None:
    values = np.array([1.0, np.nan, 3.0])
    found = contrast(values, np.array([True, False, True]), np.arange(3))
    assert (found.kept.value, found.kept.n, found.removed.n) == (2.0, 2, 0)
    assert (found.difference, found.p) == (None, None)


def test_sides_that_do_not_vary_differ_for_certain_or_not_at_all() -> None:
    kept, units = np.arange(20) < 10, np.arange(20)
    found = contrast(kept.astype(float), kept, units)
    assert (found.difference, found.low, found.p) == (-1, None, 0)
    assert contrast(np.ones(20), kept, units).p is None


def test_a_share_near_an_end_has_an_interval_within_0_and_1() -> None:
    values, kept = (np.arange(60) % 30 == 0).astype(float), np.arange(60) < 30
    found = contrast(values, kept, np.arange(60))
    share = clustered_share(values[kept] == 1, np.arange(30))
    assert (found.kept.low, found.kept.high) == (share.low, share.high)
    assert 0 < found.removed.low < found.removed.value < found.removed.high < 1
