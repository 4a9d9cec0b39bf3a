"""How far apart the labels lie on one axis: their Kullback-Leibler divergence, and its bins."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr
from threadpoolctl import threadpool_limits

from filtering.core.log_ratio import log_ratios
from stats.bootstrap import resampled
from stats.intervals import Estimate, clustered_share

BINS = 100
TAIL = 0.001  # share of the set beyond the first and the last edge
CELL = 0.05  # width of the cells in which rows are counted, in deviations
RESAMPLES = 200
Z95 = 1.96
IQR = 1.349  # of a standard normal distribution
STRAIGHT = 3  # deviations
# What an interval needs: rows of each label, and rows of label 2 on label 1's side of its median.
LEAST, OVERLAP = 40, 3

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Units = NDArray[np.integer]


def bin_edges(d1: Floats, *, bins: int = BINS) -> Floats:
    """Return equal bins (bins + 1,) over the middle 99.8 % of a set: a stray row stretches none."""
    low, high = np.quantile(d1, [TAIL, 1 - TAIL])
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1)


def bins_of(d1: Floats, edges: Floats) -> Ints:
    """Return each row's bin; what lies beyond the edges counts in the first or last one."""
    found = np.searchsorted(edges, d1, side="right") - 1
    return np.clip(found, 0, len(edges) - 2).astype(np.int64)


def label_divergence(
    d1: Floats, first: Bools, units: Units, *, seed: int, resamples: int = RESAMPLES
) -> Estimate:
    """Estimate how far the labels lie apart, with a bootstrap interval over whole twins.

    Parameters
    ----------
    d1 : float (n,)
        Each row's place on the axis, in any unit. Far strays are drawn in, which leaves the
        divergence as it is: any rising function of the places has the same one.
    first : bool (n,)
        True where the answer is option 1.
    units : int (n,)
        Twins share a value; they are drawn together, since they are anything but independent.
    seed : int, at least 0
    resamples : int

    Returns
    -------
    Estimate
        KL(p ‖ q) in nats, of p(d1 | y = 1) from q(d1 | y = 2); n counts rows. Where the rows are
        too few, or the labels too far apart for them, ``value`` and ``high`` are None: it is at
        least ``low``, with 95 % confidence. All three are None where a label has no row.

    Notes
    -----
    The mean over label 1 of a smooth log-ratio of the two densities (``log_ratio.log_ratios``).
    The plug-in of histograms, which papers take, cannot tell a bin that label 2 never visits from
    one that it has not visited yet. So it grows with n: of two normals 2.5 nats apart, 0.95 at
    n = 300 and 2.3 at n = 44,000; a random half then seems to have less bias than the whole. The
    log-ratio is a parabola where no rows say more, which for any two normals is the truth.

    The interval is symmetric around the root of the divergence (of two normals the root grows as
    their distance does), by the bootstrap's root mean square distance from it: an error of the
    bootstrap's mean widens it. Coverage and bias, and where they end: ``benchmarks.divergence``.

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
    """Return what the divergence of a set is found to be after random reduction to n rows.

    What a filter keeps is to be compared with this: the same number of rows, of the whole set.

    Parameters
    ----------
    d1, first, units
        As in ``label_divergence``.
    n : int, at least 1
        Whole twins are drawn until the first one that does not fit.
    seed : int, at least 0
    resamples : int

    Returns
    -------
    Estimate
        Median, and 2.5th and 97.5th percentile of the resamples. None where ``label_divergence``
        would give no value for most of them.
    """
    rng = np.random.default_rng([seed, n])
    found, overlaps = _estimates(d1, first, units, _reductions(rng, units, n, resamples))
    if not len(found) or np.median(overlaps) < OVERLAP or n < 2 * LEAST:
        return Estimate(None, None, None, n)
    low, value, high = np.percentile(found, [2.5, 50, 97.5])
    return Estimate(float(value), float(low), float(high), n)


def _reductions(rng: np.random.Generator, units: Units, n: int, resamples: int) -> Iterable[Floats]:
    """Yield which rows are there (n_rows,), as 0 or 1: at most n, of units drawn by chance."""
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
    """Return the divergence and the overlap of each set (n_sets,), given by how often rows count.

    Sets without a row of either label are left out.
    """
    places, cell = np.unique(np.round(_scaled(d1) / CELL), return_inverse=True)
    size, sides = len(places), cell + len(places) * ~first
    counts = np.array([np.bincount(sides, weights=w, minlength=2 * size) for w in often])
    one, two = counts[:, :size], counts[:, size:]  # (n_sets, n_places)
    both = (one.sum(axis=1) > 0) & (two.sum(axis=1) > 0)
    one, two = one[both], two[both]
    with threadpool_limits(1):  # the last bits would hang on the machine's cores
        ratios = log_ratios(CELL * places, one, two)
    found = (one * ratios).sum(axis=1) / one.sum(axis=1)
    return np.maximum(found, 0), _overlaps(ratios, one, two)


def _scaled(d1: Floats) -> Floats:
    """Return places in robust deviations from the median, drawn together beyond three of them."""
    quarter, median, three_quarters = np.quantile(d1, [0.25, 0.5, 0.75])
    deviations = (d1 - median) / ((three_quarters - quarter) / IQR or 1)
    far = np.abs(deviations) - STRAIGHT
    drawn_in = STRAIGHT + np.log1p(np.maximum(far, 0))
    return np.asarray(np.where(far > 0, np.sign(deviations) * drawn_in, deviations))


def _overlaps(ratios: Floats, one: Floats, two: Floats) -> Floats:
    """Count the rows of label 2 that look as much like label 1 as half of that one's (n_sets,)."""
    order = np.argsort(ratios, axis=1)
    up_to = np.cumsum(np.take_along_axis(one, order, axis=1), axis=1)
    above = up_to >= up_to[:, -1:] / 2
    return np.asarray((np.take_along_axis(two, order, axis=1) * above).sum(axis=1))


def _at_least(d1: Floats, first: Bools, units: Units) -> float:
    """Return a lower bound of the divergence: that of two shares, of what lies beyond the median.

    Whatever the densities, no cut in two makes labels easier to tell apart. Of both shares the end
    of the 95 % interval is taken that lies nearer the other.
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
