"""The divergence of two labels along an axis: closed forms, sizes, twins, chance."""

import numpy as np
import pytest
from scipy.stats import norm

from filtering.core.divergence import (
    bin_edges,
    bins_of,
    label_divergence,
    reduced_divergence,
)
from filtering.core.surface import log_ratios
from stats.intervals import Estimate

RESAMPLES = 40


def normals(distance: float, *, pairs: int, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Twins of opposite labels so many deviations apart, half alike: d1, first, units."""
    rng = np.random.default_rng([seed, pairs])
    one, other = rng.normal(size=(2, pairs))
    first = np.tile([True, False], pairs)
    d1 = np.stack([one + distance, one / 2 + other * np.sqrt(0.75)], axis=1).ravel()
    return d1, first, np.repeat(np.arange(pairs), 2)


def found(distance: float, *, pairs: int, seed: int = 0) -> Estimate:
    return label_divergence(*normals(distance, pairs=pairs, seed=seed), seed=0, resamples=RESAMPLES)


@pytest.mark.long
@pytest.mark.parametrize(("distance", "pairs"), [(1.0, 150), (1.5, 500), (2.24, 4000)])
def test_of_two_normals_it_is_the_closed_form_at_any_size(distance: float, pairs: int) -> None:
    truth, sets = distance**2 / 2, [found(distance, pairs=pairs, seed=k) for k in range(6)]
    assert np.mean([one.value for one in sets]) == pytest.approx(truth, rel=0.1)
    assert sum(one.low < truth < one.high for one in sets) >= 5


@pytest.mark.long
def test_random_reduction_changes_nothing() -> None:
    d1, first, units = normals(1.5, pairs=4000)
    whole = label_divergence(d1, first, units, seed=0, resamples=RESAMPLES)
    for pairs in (1000, 150):
        held, values = 0, []
        for k in range(6):
            rows = np.isin(units, np.random.default_rng(k).permutation(4000)[:pairs])
            one = label_divergence(d1[rows], first[rows], units[rows], seed=0, resamples=RESAMPLES)
            values.append(one.value)
            held += one.low <= whole.value <= one.high
        assert held >= 5
        assert np.mean(values) == pytest.approx(whole.value, rel=0.12)
        by_size = reduced_divergence(d1, first, units, n=2 * pairs, seed=0, resamples=RESAMPLES)
        assert by_size.low < whole.value < by_size.high
        assert (by_size.n, by_size.value) == (2 * pairs, pytest.approx(whole.value, rel=0.12))


@pytest.mark.long
def test_where_labels_lie_alike_the_interval_begins_at_nothing() -> None:
    sets = [found(0, pairs=100, seed=seed) for seed in range(10)]
    assert sum(one.low == 0 for one in sets) >= 9
    assert np.median([one.value for one in sets]) < 0.03


def test_labels_too_far_apart_for_their_rows_have_a_lower_bound_alone() -> None:
    far = found(4.0, pairs=500)
    assert (far.value, far.high) == (None, None)
    assert 2 < far.low < 8
    few = found(0.5, pairs=20)
    assert (few.value, few.high, few.low) == (None, None, 0)
    at_none = reduced_divergence(*normals(4.0, pairs=500), n=400, seed=0, resamples=20)
    assert at_none == Estimate(None, None, None, 400)


def test_neither_the_unit_of_the_axis_nor_far_strays_play_a_part() -> None:
    d1, first, units = normals(1.0, pairs=400)
    one = label_divergence(d1, first, units, seed=0, resamples=RESAMPLES)
    other = label_divergence(-1000 - 40 * d1, first, units, seed=0, resamples=RESAMPLES)
    assert (other.value, other.high) == pytest.approx((one.value, one.high), rel=0.05)
    d1[:4] = [1e9, 1e9, -1e9, -1e9]
    strays = label_divergence(d1, first, units, seed=0, resamples=RESAMPLES)
    assert strays.value == pytest.approx(one.value, rel=0.15)


def test_the_order_of_the_rows_plays_no_part_beyond_the_draws() -> None:
    d1, first, units = normals(1.0, pairs=200)
    order = np.random.default_rng(0).permutation(400)
    one = label_divergence(d1, first, units, seed=0, resamples=RESAMPLES)
    other = label_divergence(d1[order], first[order], units[order], seed=0, resamples=RESAMPLES)
    assert (one.value, one.low) == pytest.approx((other.value, other.low))


def test_twins_are_drawn_together() -> None:
    # Each row twice with its label: by rows it seems twice as much as there is.
    d1, first, _ = (np.repeat(column, 2) for column in normals(1.0, pairs=500))
    by_twins = label_divergence(d1, first, np.repeat(np.arange(1000), 2), seed=0, resamples=100)
    by_rows = label_divergence(d1, first, np.arange(2000), seed=0, resamples=100)
    assert by_twins.value == pytest.approx(by_rows.value, rel=1e-4)
    assert by_twins.high - by_twins.low > 1.25 * (by_rows.high - by_rows.low)


def test_one_label_alone_has_no_divergence_and_one_place_for_all_has_none() -> None:
    alone = label_divergence(np.arange(3.0), np.ones(3, dtype=bool), np.arange(3), seed=0)
    assert alone == Estimate(None, None, None, 3)
    flat = label_divergence(np.ones(200), np.arange(200) % 2 == 0, np.arange(200) // 2, seed=0)
    assert (flat.value, flat.low, flat.high) == pytest.approx((0, 0, 0), abs=1e-6)


def test_bins_span_the_middle_and_strays_fall_into_the_last() -> None:
    d1 = np.append(np.linspace(0, 1, 5000), 1e6)
    edges = bin_edges(d1)
    assert edges[-1] < 1.01
    assert bins_of(d1, edges)[-1] == 99
    assert np.ptp(bin_edges(np.ones(4))) == 1


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
