"""Tests of the detectors' accuracies against those of random relabellings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from evaluation.core.artifacts.permutations import group_credits
from evaluation.core.artifacts.results import LEVEL, POWER, Detected, Measure
from stats.corrections import holm
from stats.intervals import Estimate, wilson_with_variance

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Accuracies that differ by less are equal, apart from the rounding of a mean.
EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class Credits:
    """A detector's credits for the labels (first column) and for every relabelling.

    Parameters
    ----------
    name : str
    of_items : float in [0, 1] (n, 1 + m)
    groups : int (n,)
    dropped : mapping of str to int
    scorer : str
        As in `Detected`.
    """

    name: str
    of_items: Floats
    groups: Ints
    dropped: Mapping[str, int]
    scorer: str = ""


@dataclass(frozen=True, slots=True)
class _Share:
    """A detector's accuracy for the labels, and for the relabellings (m,)."""

    estimate: Estimate
    null: Floats

    @property
    def varies(self) -> bool:
        return float(np.ptp(self.null)) > EQUAL


def tested(runs: Sequence[Credits], *, n_others: int) -> tuple[tuple[Detected, ...], int]:
    """Test the accuracies over items and over groups, corrected for each other and for others.

    An accuracy that no relabelling changes cannot reject; its p is 1, and it does not count in
    Holm's correction.

    Parameters
    ----------
    runs : sequence of Credits
    n_others : int
        Number of other tests of the set.

    Returns
    -------
    tuple of Detected, and the number of tests with the others
    """
    shares = [(_share(run.of_items, run.groups), _over_groups(run)) for run in runs]
    p = {
        (i, j): _two_sided(share)
        for i, pair in enumerate(shares)
        for j, share in enumerate(pair)
        if share is not None and share.varies
    }
    n_tests = len(p) + n_others
    corrected = holm([*p.values(), *[1.0] * n_others])[: len(p)].tolist()
    tests = dict(zip(p, zip(p.values(), corrected, strict=True), strict=True))
    detected = tuple(
        Detected(
            run.name,
            len(run.groups),
            int(run.groups.max()) + 1,
            _measure(single, tests.get((i, 0)), n_tests),
            None if group is None else _measure(group, tests.get((i, 1)), n_tests),
            run.dropped,
            run.scorer,
        )
        for i, (run, (single, group)) in enumerate(zip(runs, shares, strict=True))
    )
    return detected, n_tests


def _measure(share: _Share, test: tuple[float, float] | None, n_tests: int) -> Measure:
    """Return a share with p before and after correction; *test* is None if it cannot reject."""
    p, corrected = test or (1.0, 1.0)
    detectable = _detectable(share.null, n_tests) if test else None
    return Measure(share.estimate, float(share.null.mean()), p, corrected, detectable)


def _over_groups(run: Credits) -> _Share | None:
    credits = group_credits(run.of_items, run.groups)
    return _share(credits, np.arange(len(credits))) if len(credits) else None


def _share(credits: Floats, groups: Ints) -> _Share:
    """Return the shares of credits (n, 1 + m), with an interval for the first column.

    Held-out items are predicted by models of much the same other items, so their credits depend on
    each other across groups too. How much wider than independent groups that makes the interval is
    read from the relabellings.
    """
    shares = credits.mean(axis=0)
    n, n_groups = len(credits), int(groups.max()) + 1
    share = min(1.0, max(0.0, float(shares[0])))
    variances = _clustered_variances(credits - shares, groups)
    usual = float(variances[1:].mean())
    widening = max(1.0, float(shares[1:].var()) / usual) if usual > 0 else 1.0
    estimate = wilson_with_variance(
        share, float(variances[0]), n=n, n_groups=n_groups, widening=widening
    )
    return _Share(estimate, shares[1:])


def _clustered_variances(residuals: Floats, groups: Ints) -> Floats:
    """Return `clustered_variance` of each column of residuals (n, m)."""
    order = np.argsort(groups, kind="stable")
    _, starts = np.unique(groups[order], return_index=True)
    sums = np.add.reduceat(residuals[order], starts, axis=0)
    return np.asarray((sums**2).sum(axis=0) / len(residuals) ** 2)


def _two_sided(share: _Share) -> float:
    """Return twice the smaller tail of the relabellings, the labels themselves counted as one."""
    value = share.estimate.value or 0.0
    above = 1 + np.count_nonzero(share.null >= value - EQUAL)
    below = 1 + np.count_nonzero(share.null <= value + EQUAL)
    return min(1.0, 2.0 * min(above, below) / (1 + len(share.null)))


def _detectable(null: Floats, n_tests: int) -> float:
    """Return the distance from chance that is found with a probability of `POWER`.

    By the normal approximation, at the first level of Holm's method, with the relabellings'
    deviation.
    """
    from scipy.stats import norm  # takes half a second to import

    reach = norm.ppf(1 - LEVEL / (2 * n_tests)) + norm.ppf(POWER)
    return float(reach * sqrt(null.var()))
