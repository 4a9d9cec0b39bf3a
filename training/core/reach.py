"""The training size at which a learning curve reaches a level: for any curve, and by laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtri, stdtrit  # scipy.stats takes half a second to import

from training.core.curves import Point
from training.core.laws import Fits, best_first, laws

Floats = NDArray[np.float64]
FARTHEST = 2  # times the largest measured size: beyond, nothing is extrapolated
LEAST_SIZES = 3
SHIFTS = np.linspace(-3, 3, 13)  # of the level, in standard deviations


@dataclass(frozen=True, slots=True)
class ByLaws:
    """The size at which the level is reached if the curve follows a law, with a 95 % interval.

    Parameters
    ----------
    names : tuple of str
        The laws that fit about as well as the best, the best first; none if the points contradict
        all of them, and then nothing is extrapolated.
    low : float or None
        At most `FARTHEST` times the largest measured size.
    high : float or None
        None beyond that size, where nothing is said.
    """

    names: tuple[str, ...]
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Reach:
    """The training size at which a level is reached, with a 95 % interval for any curve.

    Parameters
    ----------
    low : int or None
        The largest size measured up to which the curve is above the level; 0 if it is not at the
        smallest one. None if the interval is unknown.
    high : int or None
        The smallest size measured from which the curve is below the level; None without one.
    by_laws : ByLaws or None
        None for fewer than three sizes, or without an interval.
    smallest, largest : int or None
        The sizes measured.
    """

    low: int | None
    high: int | None
    by_laws: ByLaws | None
    smallest: int | None
    largest: int | None


@dataclass(frozen=True, slots=True)
class _Means:
    """Mean error of each size, the seeds' part of its variance, and degrees of freedom."""

    sizes: Floats
    errors: Floats
    pooled: Floats  # by the seeds of all sizes
    own: Floats  # by those of the size alone
    freedom: int


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
        Errors that are possible without training, for the laws: of a fresh head one minus chance.
        Of a group score of pairs it is between 0.75 and 1, as a model that does not read the
        trigger is never right on both.

    Returns
    -------
    Reach
        Without an interval if no size has several seeds: their spread is then unknown.

    Raises
    ------
    ValueError
        When ``error``, ``n_test`` or a start is out of range.

    Notes
    -----
    **For any curve** whose expected error does not rise with more questions: one-sided t tests of
    each size against the level, at 2.5 %, from the smallest size up until one does not find it
    above, and from the largest down until one does not find it below. Only the first test on the
    wrong side of the truth can be wrong, so that the number of sizes needs no correction.

    **By laws** (`laws.laws`): a profile-likelihood interval over all three, limited to
    `FARTHEST` times the largest size. The threshold is the F quantile with the seeds' degrees of
    freedom. Where an F test of the best fit at 5 % finds that the points deviate, no law is given.
    Seeds must spread alike at all sizes: where a fifth of them stays at chance, 77 to 93 % of these
    intervals contained the truth, and 99 % of those for any curve.

    A mean has the variance of its seeds plus that of a share of ``n_test`` questions, twice: once
    by itself, which allows for what the seeds of a size share, such as its training questions, and
    once in common with other sizes, as if a question that one model errs on is one that every worse
    model errs on. The seeds' variance is pooled over sizes; the t tests take that of the size alone
    where it is larger.

    Simulations in tests/training/core/test_reach.py; docs/benchmarks.md has the results.

    Source: for the power law, Hestness et al., Deep Learning Scaling is Predictable, Empirically
    (2017), with the onset that lets a curve begin at chance; for the tests in a fixed sequence,
    Maurer, Hothorn & Lehmacher, Multiple comparisons in drug clinical trials (1995).

    Examples
    --------
    >>> errors = {100: 0.40, 400: 0.30, 1600: 0.20, 6400: 0.13}
    >>> points = [
    ...     Point(n, seed, 1 - error + 0.005 * seed)
    ...     for n, error in errors.items()
    ...     for seed in (-1, 0, 1)
    ... ]
    >>> found = reach(points, error=0.06, n_test=1267)
    >>> found.low, found.high, found.by_laws.names[0], found.by_laws.low > 6400
    (6400, None, 'power', True)
    """
    _check(error, error_sd, n_test, starts)
    means = _means(points)
    if not len(means.sizes):
        return Reach(None, None, None, None, None)
    ends = int(means.sizes[0]), int(means.sizes[-1])
    if not means.freedom:
        return Reach(None, None, None, *ends)
    of_level = error_sd**2 + error * (1 - error) / n_test
    low, high = _for_any_curve(means, error, of_level, n_test)
    if len(means.sizes) < LEAST_SIZES:
        return Reach(low, high, None, *ends)
    return Reach(low, high, _by_laws(means, error, error_sd, n_test, starts), *ends)


def _for_any_curve(
    means: _Means, error: float, of_level: float, n_test: int
) -> tuple[int, int | None]:
    variances = np.maximum(means.pooled, means.own) + _of_questions(means.errors, n_test)
    t = (means.errors - error) / np.sqrt(variances + of_level)
    critical = stdtrit(means.freedom, 0.975)
    n_above = int(np.cumprod(t > critical).sum())
    n_below = int(np.cumprod(t[::-1] < -critical).sum())
    low = int(means.sizes[n_above - 1]) if n_above else 0
    return low, int(means.sizes[-n_below]) if n_below else None


def _by_laws(
    means: _Means, error: float, error_sd: float, n_test: int, starts: Sequence[float]
) -> ByLaws:
    precision = np.linalg.inv(_covariance(means, n_test)).astype(np.float64)
    every = laws(float(means.sizes[0]), float(means.sizes[-1]))
    fits = [
        Fits(law, means.sizes, means.errors, precision, start=start)
        for law in every
        for start in starts
    ]
    least = min(fit.least for fit in fits)
    n_spare = max(1, len(means.sizes) - LEAST_SIZES)
    if least > n_spare * fdtri(n_spare, means.freedom, 0.95):
        return ByLaws((), None, None)
    allowed = least + fdtri(1, means.freedom, 0.95)
    lows, highs = zip(
        *(
            fit.sizes_within(allowed - shift**2, float(np.clip(error + shift * error_sd, 1e-6, 1)))
            for fit in fits
            for shift in (SHIFTS if error_sd else (0.0,))
        ),
        strict=True,
    )
    farthest = FARTHEST * float(means.sizes[-1])
    high = max(highs)
    return ByLaws(
        best_first(fits, allowed), min(*lows, farthest), high if high <= farthest else None
    )


def _of_questions(errors: Floats, n_test: int) -> Floats:
    """Return the variance of shares of independent questions."""
    return np.maximum(errors * (1 - errors), 1 / n_test) / n_test


def _covariance(means: _Means, n_test: int) -> Floats:
    """Return the covariance (n_sizes, n_sizes) of the mean errors; see `reach`."""
    lower, upper = (pick.outer(means.errors, means.errors) for pick in (np.minimum, np.maximum))
    in_common = np.maximum(lower * (1 - upper), 0) / n_test
    alone = means.pooled + _of_questions(means.errors, n_test)
    covariance: Floats = np.diag(alone) + in_common
    return covariance


def _means(points: Sequence[Point]) -> _Means:
    points_read = [
        (point.size, 1 - point.single)
        for point in points
        if point.size and point.single is not None
    ]
    sizes = sorted({size for size, _ in points_read})
    values = [np.array([value for at, value in points_read if at == size]) for size in sizes]
    counts = np.array([len(errors) for errors in values], dtype=np.float64)
    squares = np.array([((errors - errors.mean()) ** 2).sum() for errors in values])
    freedom = len(points_read) - len(sizes)
    return _Means(
        np.array(sizes, dtype=np.float64),
        np.array([errors.mean() for errors in values]),
        squares.sum() / max(1, freedom) / np.maximum(counts, 1),
        squares / np.maximum(counts - 1, 1) / np.maximum(counts, 1),
        freedom,
    )


def _check(error: float, error_sd: float, n_test: int, starts: Sequence[float]) -> None:
    if not 0 < error < 1:
        raise ValueError(f"error must be between 0 and 1, got {error}")
    if error_sd < 0:
        raise ValueError(f"error_sd must be at least 0, got {error_sd}")
    if n_test < 1:
        raise ValueError(f"n_test must be at least 1, got {n_test}")
    if not len(starts) or not all(0 < start <= 1 for start in starts):
        raise ValueError(f"starts must be above 0 and at most 1, got {list(starts)}")
