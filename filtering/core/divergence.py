"""How far apart the labels lie on one axis: histograms and their Kullback-Leibler divergence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BINS = 100
SMOOTHING = 0.5
TAIL = 0.001  # share of the set beyond the first and the last edge

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Divergence:
    """KL(p ‖ q) in nats, of p(d1 | y = 1) from q(d1 | y = 2).

    Parameters
    ----------
    plug_in : float, at least 0, or None where a label has no row
        Of the smoothed histograms as they are; few rows make it too large.
    value, low, high : float, at least 0, or None
        The plug-in less the bias that the bootstrap finds, and the basic 95 % bootstrap interval;
        below 0 they are given as 0.
    n : int
        Rows.
    """

    plug_in: float | None
    value: float | None
    low: float | None
    high: float | None
    n: int


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


def kl(p_counts: Floats | Ints, q_counts: Floats | Ints, *, smoothing: float = SMOOTHING) -> float:
    """Return KL(p ‖ q) in nats between two histograms over the same bins.

    Parameters
    ----------
    p_counts, q_counts : (bins,), at least 0
    smoothing : float, above 0
        Added to every bin of both; without it an empty bin of q makes the divergence infinite.

    Returns
    -------
    float, at least 0

    Source: WinoGrande §3, Figure 1 ("KL-divergence between p(d1, y=1) and q(d1, y=2)"). The paper
    names neither estimator nor smoothing: here the plug-in over 100 bins with 0.5 (Jeffreys' prior)
    added to each.

    Examples
    --------
    >>> round(kl(np.array([90, 10]), np.array([50, 50])), 3)
    0.359
    """
    p = (p_counts + smoothing) / (p_counts + smoothing).sum()
    q = (q_counts + smoothing) / (q_counts + smoothing).sum()
    return max(0.0, float((p * np.log(p / q)).sum()))


def label_divergence(
    bins: Ints,
    first: NDArray[np.bool_],
    units: NDArray[np.integer],
    *,
    seed: int,
    n_bins: int = BINS,
    resamples: int = 500,
) -> Divergence:
    """Estimate how far the labels lie apart, with a bootstrap interval over whole twins.

    Parameters
    ----------
    bins : int (n,)
        Each row's bin, from 0 to ``n_bins`` - 1.
    first : bool (n,)
        True where the answer is option 1.
    units : int (n,)
        Twins share a value; they are drawn together, since they are anything but independent.
    seed : int, at least 0
    resamples : int

    Returns
    -------
    Divergence

    Notes
    -----
    The plug-in is too large (where the labels lie alike, and without smoothing, by about
    (b - 1)/2 (1/n1 + 1/n2) over b bins), and each resample adds about as much once more: hence the
    basic interval, 2 θ less the resamples' quantiles, and the value 2 θ less their mean.
    """
    n = len(bins)
    if first.all() or not first.any():
        return Divergence(None, None, None, None, n)
    cell = bins + n_bins * first  # (n,), a histogram for each label behind the other
    _, of_row = np.unique(units, return_inverse=True)
    n_units = int(of_row.max()) + 1
    rng = np.random.default_rng([seed, n_units])
    drawn = np.empty(resamples)
    for i in range(resamples):
        often = np.bincount(rng.integers(0, n_units, n_units), minlength=n_units)
        drawn[i] = _kl_of(np.bincount(cell, weights=often[of_row], minlength=2 * n_bins))
    found = _kl_of(np.bincount(cell, minlength=2 * n_bins))
    low, high = 2 * found - np.quantile(drawn, [0.975, 0.025])
    ends = [max(0.0, float(end)) for end in (2 * found - drawn.mean(), low, high)]
    return Divergence(found, ends[0], ends[1], ends[2], n)


def _kl_of(counts: Floats | Ints) -> float:
    second, first = counts.reshape(2, -1)
    return kl(first, second)
