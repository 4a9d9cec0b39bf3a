"""The divergence of two labels along an axis: against SciPy, a closed form, and chance."""

import numpy as np
import pytest
from scipy.stats import entropy

from filtering.core.divergence import Divergence, bin_edges, bins_of, kl, label_divergence


def of_normals(distance: float, *, pairs: int = 4000, seed: int = 0) -> Divergence:
    """Two normal labels so many deviations apart; twins share nothing but their number."""
    rng = np.random.default_rng(seed)
    first = np.tile([True, False], pairs)
    d1 = rng.normal(size=2 * pairs) + distance * first
    units = np.repeat(np.arange(pairs), 2)
    return label_divergence(bins_of(d1, bin_edges(d1)), first, units, seed=0)


def test_it_is_scipys_entropy_of_the_smoothed_histograms() -> None:
    rng = np.random.default_rng(0)
    p, q = rng.integers(0, 40, (2, 100))
    assert kl(p, q) == pytest.approx(entropy(p + 0.5, q + 0.5))
    assert kl(p, p) == 0


@pytest.mark.parametrize("distance", [0.5, 1.0])
def test_for_two_normals_it_comes_near_the_closed_form(distance: float) -> None:
    found, truth = of_normals(distance), distance**2 / 2
    assert found.value == pytest.approx(truth, rel=0.12)
    assert found.low < found.value < found.high


def test_where_labels_lie_alike_the_interval_begins_at_nothing() -> None:
    for seed in range(5):
        found = of_normals(0, pairs=500, seed=seed)
        assert found.low == 0
        assert found.value < 0.04 < 0.1 < found.plug_in


def test_the_order_of_the_rows_plays_no_part_beyond_the_draws() -> None:
    rng = np.random.default_rng(0)
    bins, first, units = rng.integers(0, 100, 400), rng.random(400) < 0.5, np.arange(400) // 2
    order = rng.permutation(400)
    found = label_divergence(bins, first, units, seed=0)
    assert label_divergence(bins[order], first[order], units[order], seed=0) == found


def test_twins_are_drawn_together() -> None:
    # Each row twice with its label: by rows it seems twice as much as there is.
    rng = np.random.default_rng(0)
    first = np.arange(1000) % 2 == 0
    bins = np.clip(rng.normal(50 + 10 * first, 15), 0, 99).astype(int)
    twice = np.repeat(bins, 2), np.repeat(first, 2)
    by_twins = label_divergence(*twice, np.repeat(np.arange(1000), 2), seed=0)
    by_rows = label_divergence(*twice, np.arange(2000), seed=0)
    assert by_twins.plug_in == by_rows.plug_in
    assert by_twins.high - by_twins.low > 1.25 * (by_rows.high - by_rows.low)


def test_one_label_alone_has_no_divergence() -> None:
    found = label_divergence(np.zeros(3, dtype=int), np.ones(3, dtype=bool), np.arange(3), seed=0)
    assert found == Divergence(None, None, None, None, 3)


def test_bins_span_the_middle_and_strays_fall_into_the_last() -> None:
    d1 = np.append(np.linspace(0, 1, 5000), 1e6)
    edges = bin_edges(d1)
    assert edges[-1] < 1.01
    assert bins_of(d1, edges)[-1] == 99
    assert np.ptp(bin_edges(np.ones(4))) == 1
