"""Cohen's kappa of two classifications, and the mean of several, with intervals over groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from stats.intervals import Estimate, Floats, Groups, Z, ends_with_variance
from stats.people import FEWEST_PEOPLE, NO_PEOPLE, Ends, PeopleEstimate

Labels = NDArray[np.integer] | NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Kappa:
    """Cohen's kappa of two classifications of the same things.

    Parameters
    ----------
    estimate : Estimate
        n counts things; the interval is over groups.
    rest : float (n,)
        What each thing adds to kappa.
    groups : int (n,)
    expected : float
        The share of things that would be classified differently by chance.
    """

    estimate: Estimate
    rest: Floats
    groups: Groups
    expected: float


def cohen(first: Labels, second: Labels, groups: Groups, *, n_labels: int = 2) -> Kappa:
    """Return Cohen's kappa with its 95 % interval.

    Parameters
    ----------
    first, second : int from 0, or bool (n,)
    groups : int (n,)
        Things of a group have the same value.
    n_labels : int

    Returns
    -------
    Kappa
        The value is None without things, or if all have one and the same label in both. The
        interval is Wilson's for the share of things classified differently, with the variance of
        kappa.

    Source: Cohen, A coefficient of agreement for nominal scales (Educational and Psychological
    Measurement 1960); the interval is ours.

    Examples
    --------
    >>> one = np.repeat([0, 0, 1, 1], [20, 5, 10, 15])
    >>> two = np.repeat([0, 1, 0, 1], [20, 5, 10, 15])
    >>> found = cohen(one, two, np.arange(50)).estimate
    >>> [round(x, 2) for x in (found.value, found.low, found.high)]
    [0.4, 0.12, 0.62]
    """
    n = len(first)
    a, b = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    of_a, of_b = (np.bincount(one, minlength=n_labels) / max(1, n) for one in (a, b))
    expected = 1 - float(of_a @ of_b)
    if not n or expected == 0:
        return Kappa(Estimate(None, None, None, n), np.zeros(n), groups, 0.0)
    differs = (a != b).astype(np.float64)
    ratio = float(differs.mean()) / expected
    by_chance = 1 - of_b[a] - of_a[b] + (1 - expected)
    rest = (ratio * (by_chance - expected) - (differs - differs.mean())) / expected / n
    low, high = _ends(ratio * expected, _variance([(rest, groups)]), expected, n, groups)
    return Kappa(Estimate(1 - ratio, low, high, n), rest, groups, expected)


def _ends(
    differing: float, variance: float, expected: float, n: int, groups: Groups
) -> tuple[float, float]:
    """Return the ends of kappa from those of the share of things that differ."""
    n_groups = len(np.unique(groups))
    low, high = ends_with_variance(differing, variance * expected**2, n=n, n_groups=n_groups)
    return 1 - high / expected, 1 - low / expected


def _variance(found: Sequence[tuple[Floats, Groups]]) -> float:
    """Return the variance over groups of the sum of all that things add."""
    rest = np.concatenate([rest for rest, _groups in found])
    _, of_row = np.unique(np.concatenate([groups for _rest, groups in found]), return_inverse=True)
    return float((np.bincount(of_row, weights=rest) ** 2).sum())


def mean_kappa(found: Sequence[Kappa]) -> PeopleEstimate:
    """Return the mean of the kappas of several people with a reference, with both intervals.

    Parameters
    ----------
    found : sequence of Kappa
        One for each person, with numbers of groups in common. Undefined ones are left out.

    Returns
    -------
    PeopleEstimate
        n and n_people count people. The interval for these people is over groups; that for people
        like them adds the variance between their kappas, with Student's t.
    """
    known = [one for one in found if one.estimate.value is not None]
    if not known:
        return NO_PEOPLE
    k = len(known)
    values = np.array([one.estimate.value for one in known], dtype=np.float64)
    value, variance = float(values.mean()), _variance([(o.rest / k, o.groups) for o in known])
    half = Z * variance**0.5
    wide: Ends = (None, None)
    if k >= FEWEST_PEOPLE:
        both = variance + float(values.var(ddof=1)) / k
        wider = float(stdtrit(k - 1, 0.975)) * both**0.5
        wide = value - wider, min(1.0, value + wider)
    return PeopleEstimate(value, value - half, min(1.0, value + half), k, *wide, k)
