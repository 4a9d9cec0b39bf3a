"""The training size at which a learning curve would reach a level, by a power law of the error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, fdtri  # scipy.stats takes half a second to import

from evaluation.core.curves import Point

Floats = NDArray[np.float64]
FARTHEST = 1000  # times the largest measured size: beyond, a size counts as never reached
LEAST_SIZES = 3
EXPONENTS = np.geomspace(0.01, 20, 120)
SHIFTS = np.linspace(-3, 3, 13)  # of the level, in standard deviations
STEPS = 120  # grid points of the law's onset


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """Error against training size n: ``floor + (start − floor)(1 + n / onset)^(−exponent)``.

    At 0 the error is ``start``; far above ``onset`` it is a power law down to ``floor``.
    """

    start: float
    floor: float
    onset: float
    exponent: float

    def error(self, size: float) -> float:
        """Return the expected error of a model that was trained on *size* questions."""
        fallen = float((1 + size / self.onset) ** -self.exponent)
        return self.floor + (self.start - self.floor) * fallen

    def size_at(self, error: float) -> float:
        """Return the training size with an expected error; infinity if it is never reached."""
        return float(
            _sizes_at(
                error, self.start, np.array([self.floor]), np.array([self.onset]),
                np.array([self.exponent]),
            )[0]
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reach:
    """The training size at which a level is reached, with its 95 % interval.

    Parameters
    ----------
    law : PowerLaw or None
        The best fit; None with too few sizes.
    fits : bool
        Whether the points agree with a power law. If not, nothing is extrapolated.
    size : float or None
        Of the best fit; None if it never reaches the level.
    low : float or None
        None if the data exclude no size, or the interval is unknown.
    high : float or None
        None if the data do not exclude that the level is never reached.
    smallest, largest : int or None
        The sizes measured.
    """

    law: PowerLaw | None
    fits: bool
    size: float | None
    low: float | None
    high: float | None
    smallest: int | None
    largest: int | None

    @property
    def is_within_measured(self) -> bool:
        """Whether the interval ends at or below the largest size measured."""
        return self.high is not None and self.largest is not None and self.high <= self.largest


def reach(
    points: Sequence[Point],
    *,
    error: float,
    n_test: int,
    error_sd: float = 0.0,
    starts: Sequence[float] = (0.5,),
) -> Reach:
    """Return the training size at which the accuracy's error falls to a level.

    Parameters
    ----------
    points : sequence of Point
        Those of size 0 or without an accuracy are left out. For a group score, give it as
        `Point.single`.
    error : float in (0, 1)
        Of people, on the same questions.
    n_test : int, at least 1
        Independent test questions, or groups of questions, behind each accuracy.
    error_sd : float, at least 0
        Standard error of ``error``; 0 if it is exact for the questions.
    starts : sequence of float in (0, 1]
        Errors that are possible without training: of a fresh head one minus chance. Of a group
        score of pairs it is between 0.75 and 1, as a model that does not read the trigger is
        never right on both.

    Returns
    -------
    Reach
        ``law`` is None for fewer than three sizes, and ``low`` and ``high`` too if no size has
        several seeds: the spread between seeds is then unknown.

    Raises
    ------
    ValueError
        When ``error``, ``n_test`` or a start is out of range.

    Notes
    -----
    A profile-likelihood interval: every size at which some law within the threshold of the best
    fit reaches the level. The mean accuracy of a size has the variance of its seeds (pooled over
    sizes, divided by their number) plus that of a share of ``n_test`` questions, twice: once by
    itself, which allows for what the seeds of a size share, such as its training questions, and
    once in common with all sizes, since all are tested on the same questions. The threshold is the
    F quantile with the seeds' degrees of freedom. Deviations beyond the 99 % quantile are no fit.

    In the simulation of tests/evaluation/core/test_power_law.py the interval contains the true
    size in at least 95 % of cases where the truth is a power law, and has no upper end in at least
    95 % of cases where the level is never reached.

    Source: the shape is Hestness et al., Deep Learning Scaling is Predictable, Empirically (2017),
    with the onset that lets a curve begin at chance; WinoGrande (AAAI 2020), §4.2 gives a size
    ("over 118K") without an interval.

    Examples
    --------
    >>> errors = {100: 0.40, 400: 0.30, 1600: 0.20, 6400: 0.13}
    >>> points = [
    ...     Point(n, seed, 1 - error + 0.005 * seed)
    ...     for n, error in errors.items()
    ...     for seed in (-1, 0, 1)
    ... ]
    >>> found = reach(points, error=0.06, n_test=1267)
    >>> found.fits, found.is_within_measured, found.low > 6400
    (True, False, True)
    """
    _check(error, error_sd, n_test, starts)
    sizes, means, counts, within, freedom = _of_sizes(points)
    if len(sizes) < LEAST_SIZES:
        ends = (int(sizes[0]), int(sizes[-1])) if len(sizes) else (None, None)
        return Reach(None, False, None, None, None, *ends)
    of_seeds = within / max(freedom, 1) / counts
    weights = 1 / (of_seeds + np.maximum(means * (1 - means), 1 / n_test) / n_test)
    fits = [_Fits(sizes, 1 - means, weights, start) for start in starts]
    best = min(fits, key=lambda one: one.least)
    is_law = best.least <= chdtri(max(1, len(sizes) - LEAST_SIZES), 0.01)
    smallest, largest = int(sizes[0]), int(sizes[-1])
    size = _bounded(best.law.size_at(error), largest)
    if not is_law or not freedom:
        return Reach(
            best.law, bool(is_law), size if is_law else None, None, None, smallest, largest
        )
    allowed = best.least + fdtri(1, freedom, 0.95)
    sd = float(np.hypot(error_sd, np.sqrt(error * (1 - error) / n_test)))
    low, high = _ends(fits, allowed, error, sd)
    low = min(low, float(FARTHEST * largest))
    return Reach(best.law, True, size, low, _bounded(high, largest), smallest, largest)


class _Fits:
    """Every law of a grid of onsets and exponents, each with the floors that it allows."""

    def __init__(self, sizes: Floats, errors: Floats, weights: Floats, start: float) -> None:
        onsets = np.geomspace(sizes[0] / 100, sizes[-1] * 100, STEPS)
        onset, exponent = np.meshgrid(onsets, EXPONENTS)
        self.start, self.onset, self.exponent = start, onset.ravel(), exponent.ravel()
        fallen = (1 + sizes / self.onset[:, None]) ** -self.exponent[:, None]  # (n_laws, n_sizes)
        # The error is linear in the floor, so the misfit is a parabola of it.
        rest, slope = errors - start * fallen, 1 - fallen
        self.square = np.maximum((weights * slope**2).sum(axis=1), 1e-12)
        self.vertex = (weights * rest * slope).sum(axis=1) / self.square
        at_vertex = (weights * (rest - self.vertex[:, None] * slope) ** 2).sum(axis=1)
        floors = self.vertex.clip(0, 1)
        misfits = at_vertex + self.square * (floors - self.vertex) ** 2
        self.at_vertex, best = at_vertex, int(misfits.argmin())
        self.least = float(misfits[best])
        self.law = PowerLaw(
            start, float(floors[best]), float(self.onset[best]), float(self.exponent[best])
        )

    def sizes_within(self, allowed: float, error: float) -> tuple[float, float]:
        """Return the least and largest size at which a law of at most *allowed* misfit arrives."""
        half = np.sqrt(np.maximum(allowed - self.at_vertex, 0) / self.square)
        low, high = np.maximum(self.vertex - half, 0), np.minimum(self.vertex + half, 1)
        is_allowed = (self.at_vertex <= allowed) & (low <= high)
        if not is_allowed.any():
            return np.inf, 0.0  # another start fits far better
        onset, exponent = self.onset[is_allowed], self.exponent[is_allowed]
        ends = (
            _sizes_at(error, self.start, floor[is_allowed], onset, exponent)
            for floor in (low, high)
        )
        least, largest = ends
        return float(least.min()), float(largest.max())


def _ends(fits: Sequence[_Fits], allowed: float, error: float, sd: float) -> tuple[float, float]:
    """Return the least and largest size at which an allowed law reaches the level.

    What all sizes have in common, such as easy test questions, moves the level by *sd*.
    """
    lows, highs = zip(
        *(
            one.sizes_within(allowed - shift**2, float(np.clip(error + shift * sd, 1e-6, 1)))
            for one in fits
            for shift in SHIFTS
        ),
        strict=True,
    )
    return min(lows), max(highs)


def _sizes_at(error: float, start: float, floor: Floats, onset: Floats, exponent: Floats) -> Floats:
    if start <= error:
        return np.zeros(len(floor))
    reaches = floor < error
    share = np.where(reaches, (start - floor) / np.where(reaches, error - floor, 1), np.inf)
    with np.errstate(over="ignore"):
        found: Floats = onset * np.expm1(np.log(share) / exponent)
    return found


def _of_sizes(points: Sequence[Point]) -> tuple[Floats, Floats, Floats, float, int]:
    """Return sizes, mean accuracies, seeds of each; squares within sizes, degrees of freedom."""
    known = [
        (point.size, point.single) for point in points if point.size and point.single is not None
    ]
    sizes = sorted({size for size, _ in known})
    values = [np.array([value for at, value in known if at == size]) for size in sizes]
    means = np.array([one.mean() for one in values])
    within = float(sum(((one - one.mean()) ** 2).sum() for one in values))
    counts = np.array([len(one) for one in values], dtype=np.float64)
    return np.array(sizes, dtype=np.float64), means, counts, within, len(known) - len(sizes)


def _bounded(size: float, largest: int) -> float | None:
    return size if size <= FARTHEST * largest else None


def _check(error: float, error_sd: float, n_test: int, starts: Sequence[float]) -> None:
    if not 0 < error < 1:
        raise ValueError(f"error must be between 0 and 1, got {error}")
    if error_sd < 0:
        raise ValueError(f"error_sd must be at least 0, got {error_sd}")
    if n_test < 1:
        raise ValueError(f"n_test must be at least 1, got {n_test}")
    if not len(starts) or not all(0 < start <= 1 for start in starts):
        raise ValueError(f"starts must be above 0 and at most 1, got {list(starts)}")
