"""The log-ratio of two densities: closed forms, and every set by itself."""

import numpy as np
import pytest
from scipy.stats import norm

from filtering.core.surface import log_ratios

PLACES = np.arange(-4, 4.001, 0.05)


def expected(p: np.ndarray, q: np.ndarray, n: int) -> np.ndarray:
    """The ratio from as many rows of each label as the densities would have there."""
    one, two = (n * density / density.sum() for density in (p, q))
    return log_ratios(PLACES, one[None], two[None])[0]


def test_of_two_normals_it_is_a_straight_line() -> None:
    found = expected(norm.pdf(PLACES, 0.75), norm.pdf(PLACES, -0.75), 2000)
    assert found == pytest.approx(1.5 * PLACES, abs=0.1)


def test_of_two_humps_it_levels_off() -> None:
    high, low = norm.pdf(PLACES, 1.5, 0.5), norm.pdf(PLACES, -1.5, 0.5)
    found = expected(0.8 * high + 0.2 * low, 0.2 * high + 0.8 * low, 5000)
    assert found[np.abs(PLACES - 1.5) < 0.8] == pytest.approx(np.log(4), abs=0.1)
    assert found[np.abs(PLACES + 1.5) < 0.8] == pytest.approx(-np.log(4), abs=0.1)


def test_unequal_numbers_of_labels_do_not_shift_it() -> None:
    p, q = norm.pdf(PLACES, 0.5), norm.pdf(PLACES, -0.5)
    found = log_ratios(PLACES, 9000 * p[None] / p.sum(), 300 * q[None] / q.sum())[0]
    assert found == pytest.approx(PLACES, abs=0.15)


def test_each_set_is_fitted_by_itself() -> None:
    counts = np.random.default_rng(0).integers(0, 5, (2, 6, len(PLACES))).astype(float)
    found = log_ratios(PLACES, *counts)
    for k in range(6):
        alone = log_ratios(PLACES, counts[0, k : k + 1], counts[1, k : k + 1])[0]
        assert alone == pytest.approx(found[k], abs=0.02)


def test_labels_wholly_apart_have_a_finite_ratio() -> None:
    one, two = 9.0 * (PLACES > 1), 9.0 * (PLACES < -1)
    found = log_ratios(PLACES, one[None], two[None])[0]
    assert np.isfinite(found).all()
    assert (np.diff(found) > 0).all()
