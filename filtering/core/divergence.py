"""Kullback-Leibler divergence of the two labels along one axis, and histogram bins."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr
from threadpoolctl import threadpool_limits

from filtering.core.surface import log_ratios
from stats.bootstrap import resampled
from stats.intervals import Estimate, clustered_share

BINS = 100
TAIL = 0.001  # share of the set beyond the first and the last edge
CELL = 0.05  # width of the cells in which rows are counted, in robust deviations
RESAMPLES = 200
Z95 = 1.96
IQR = 1.349  # of a standard normal distribution
STRAIGHT = 3  # deviations
# Required for an interval: rows of each label, and rows of label 2 on label 1's side of its median.
LEAST, OVERLAP = 40, 3

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Units = NDArray[np.integer]


def bin_edges(d1: Floats, *, bins: int = BINS) -> Floats:
    """Return equal bins (bins + 1,) over the middle 99.8 %: outliers do not widen them."""
    low, high = np.quantile(d1, [TAIL, 1 - TAIL])
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1)


def bins_of(d1: Floats, edges: Floats) -> Ints:
    """Return each row's bin; rows beyond the edges are in the first or last bin."""
    bins = np.searchsorted(edges, d1, side="right") - 1
    return np.clip(bins, 0, len(edges) - 2).astype(np.int64)


def label_divergence(
    d1: Floats, first: Bools, units: Units, *, seed: int, resamples: int = RESAMPLES
) -> Estimate:
    """Estimate the divergence of the labels, with a bootstrap interval over whole twins.

    Parameters
    ----------
    d1 : float (n,)
        Each row's position on the axis, in any unit. Outliers are drawn in, which does not change
        the divergence: it is invariant under increasing functions of the positions.
    first : bool (n,)
        True where the answer is option 1.
    units : int (n,)
        Twins share a value; they are resampled together, since they are not independent.
    seed : int, at least 0
    resamples : int

    Returns
    -------
    Estimate
        KL(p ‖ q) in nats, of p(d1 | y = 1) from q(d1 | y = 2); n counts rows. Where there are too
        few rows, or the labels are too far apart for the number of rows, ``value`` and ``high`` are
        None and ``low`` is a lower bound with 95 % confidence. All three are None where a label has
        no row.

    Notes
    -----
    The mean over label 1 of a smooth log-ratio of the two densities (``log_ratio.log_ratios``).
    The usual plug-in estimate from histograms cannot distinguish a bin where label 2 has no density
    from one where it has no row yet. So it grows with n: for two normals 2.5 nats apart it is 0.95
    at n = 300 and 2.3 at n = 44,000, and a random half seems to have less bias than the whole. The
    log-ratio is a parabola unless the rows indicate otherwise, which is exact for any two normals.

    The interval is symmetric around the root of the divergence (for two normals the root is
    proportional to their distance). Its half-width is based on the bootstrap's root mean square
    distance from that root, so a bias of the bootstrap widens it. ``benchmarks.divergence``
    measures coverage and bias, and their limits.

    Source: WinoGrande §3, Figure 1 ("KL-divergence between p(d1, y=1) and q(d1, y=2)"); the paper
    names no estimator.
    """
    if first.all() or not first.any():
        return Estimate(None, None, None, len(d1))
    rng = np.random.default_rng([seed, len(np.unique(units))])
    samples = chain([np.ones(len(d1))], resampled(units, times=resamples, rng=rng))
    found, overlaps = _estimates(d1, first, units, samples)
    if overlaps[0] < OVERLAP or min(first.sum(), (~first).sum()) < LEAST:
        return Estimate(None, _at_least(d1, first, units), None, len(d1))
    root = np.sqrt(found)
    half = Z95 * np.sqrt(np.mean((root[1:] - root[0]) ** 2))
    low, high = max(0.0, root[0] - half) ** 2, (root[0] + half) ** 2
    return Estimate(float(found[0]), float(low), float(high), len(d1))


def reduced_divergence(
    d1: Floats, first: Bools, units: Units, *, n: int, seed: int, resamples: int = RESAMPLES
) -> Estimate:
    """Estimate the divergence of a set after random reduction to n rows.

    Compare the divergence of the rows a filter keeps with this: it has the same number of rows.

    Parameters
    ----------
    d1, first, units
        As in ``label_divergence``.
    n : int, at least 1
        Whole twins are drawn up to the first one that does not fit.
    seed : int, at least 0
    resamples : int

    Returns
    -------
    Estimate
        Median, and 2.5th and 97.5th percentile of the resamples. None where ``label_divergence``
        would have no value for most of them.
    """
    rng = np.random.default_rng([seed, n])
    found, overlaps = _estimates(d1, first, units, _reductions(rng, units, n, resamples))
    if not len(found) or np.median(overlaps) < OVERLAP or n < 2 * LEAST:
        return Estimate(None, None, None, n)
    low, value, high = np.percentile(found, [2.5, 50, 97.5])
    return Estimate(float(value), float(low), float(high), n)


def _reductions(rng: np.random.Generator, units: Units, n: int, resamples: int) -> Iterable[Floats]:
    """Yield random subsets of whole units with at most n rows, as 0 or 1 per row (n_rows,)."""
    names, of_row = np.unique(units, return_inverse=True)
    sizes = np.bincount(of_row)
    for _ in range(resamples):
        order = rng.permutation(len(names))
        fits = np.zeros(len(names))
        fits[order] = np.cumsum(sizes[order]) <= n
        yield fits[of_row]


def _estimates(
    d1: Floats, first: Bools, units: Units, often: Iterable[Floats]
) -> tuple[Floats, Floats]:
    """Return the divergence and the overlap of each set (n_sets,), given as row weights.

    Sets in which a label has no row are left out.
    """
    places, cell = np.unique(np.round(_scaled(d1) / CELL), return_inverse=True)
    size, sides = len(places), cell + len(places) * ~first
    counts = np.array([np.bincount(sides, weights=w, minlength=2 * size) for w in often])
    one, two = counts[:, :size], counts[:, size:]  # (n_sets, n_places)
    both = (one.sum(axis=1) > 0) & (two.sum(axis=1) > 0)
    one, two = one[both], two[both]
    with threadpool_limits(1):  # or the last bits would depend on the number of cores
        ratios = log_ratios(CELL * places, one, two)
    estimates = (one * ratios).sum(axis=1) / one.sum(axis=1)
    return np.maximum(estimates, 0), _overlaps(ratios, one, two)


def _scaled(d1: Floats) -> Floats:
    """Return positions in robust deviations from the median, compressed beyond three of them."""
    quarter, median, three_quarters = np.quantile(d1, [0.25, 0.5, 0.75])
    deviations = (d1 - median) / ((three_quarters - quarter) / IQR or 1)
    far = np.abs(deviations) - STRAIGHT
    drawn_in = STRAIGHT + np.log1p(np.maximum(far, 0))
    return np.asarray(np.where(far > 0, np.sign(deviations) * drawn_in, deviations))


def _overlaps(ratios: Floats, counts: Floats, two: Floats) -> Floats:
    """Count the rows of label 2 with a ratio above the median ratio of label 1 (n_sets,)."""
    order = np.argsort(ratios, axis=1)
    up_to = np.cumsum(np.take_along_axis(counts, order, axis=1), axis=1)
    above = up_to >= up_to[:, -1:] / 2
    return np.asarray((np.take_along_axis(two, order, axis=1) * above).sum(axis=1))


def _at_least(d1: Floats, first: Bools, units: Units) -> float:
    """Return a lower bound of the divergence: that of the labels' shares beyond the common median.

    Whatever the densities, splitting the axis in two cannot increase the divergence. For each share
    the end of its 95 % interval that is nearer to the other share is used.
    """
    beyond = d1 > np.median(d1)
    one, two = (clustered_share(beyond[side], units[side]) for side in (first, ~first))
    assert one.low is not None
    assert one.high is not None
    assert two.low is not None
    assert two.high is not None
    if one.low <= two.high and two.low <= one.high:
        return 0.0
    p, q = (one.low, two.high) if one.low > two.high else (one.high, two.low)
    return float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))
