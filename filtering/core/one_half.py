"""The one test of whether fresh models answer more or fewer than one half of a set correctly.

The gate of the neutral cut, the first figures of a run, its warnings, the evidence and the manifest
of a release all use it, so they cannot contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from filtering.core.fresh import (
    balanced_accuracy,
    deal_folds,
    held_out,
    label_weights,
    training_parts,
)
from filtering.core.leaks import LEAST_ROWS, POWER
from filtering.core.table import Table, Units
from stats.intervals import Estimate, wilson_ends
from stats.keys import UInt64s, priorities

Direction = Literal["above", "below", "none"]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

# Probability that a set without a bias is said to be above or below one half by any of its tests:
# each part that is tested has its share of it, and the whole set the rest.
ALPHA, ALPHA_OF_PART = 0.05, 0.005
# With fewer rows of one label, or groups, nothing is measured.
LEAST_OF_LABEL, LEAST_GROUPS = 20, 20
# Variance of the accuracy on n unrelated rows without a bias, times n. Twins have a smaller one.
SPREAD = 0.3


@dataclass(frozen=True, slots=True)
class Comparison:
    """An accuracy compared with one half.

    Parameters
    ----------
    accuracy : Estimate
        Balanced accuracy; without values where there are too few rows.
    direction : {'above', 'below', 'none'} or None
        Of the whole interval; ``none`` where it contains one half, None where nothing is measured.
    detectable : float in (0.5, 1] or None
        The accuracy that is found to be above one half with a probability of 80 %; one as far
        below is found as often.
    """

    accuracy: Estimate
    direction: Direction | None
    detectable: float | None

    @classmethod
    def of(
        cls, accuracy: float, variance: float, *, n: int, alpha: float, headroom: float = 0.0
    ) -> Comparison:
        """Compare an accuracy on n rows, given its variance without a bias; two-sided.

        For ``headroom`` see `HeldOut.headroom`.
        """
        independent = 0.25 / variance if variance > 0 else n
        low, high = wilson_ends([accuracy * independent], [independent], alpha=alpha)
        estimate = Estimate(accuracy, float(low[0]), float(high[0]), n)
        direction: Direction = "above" if low[0] > 0.5 else "below" if high[0] < 0.5 else "none"
        return cls(estimate, direction, _detectable(0.25 / independent, alpha, headroom))


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Comparisons of all rows, of those whose twin is in the set, and of the others.

    In a set that is neutral as a whole, pairs may be above one half and unpaired rows below.
    """

    grouped: Comparison
    paired: Comparison
    unpaired: Comparison


@dataclass(frozen=True, slots=True)
class Fresh:
    """Fresh models of one kind, and how often they are trained.

    Parameters
    ----------
    decide : callable (table, rows (n,), parts bool (n, n_models))
        Trains a model on each part of the rows; returns all decisions, float (n, n_models).
    deals : int, at least 1
        Repetitions of the five-fold cross-validation: with more, the accuracy varies less.
    exchanges : int, at least 1
        Random exchanges of labels for which all models are trained again.
    """

    decide: Callable[[Table, Rows, Bools], NDArray[Any]]
    deals: int
    exchanges: int


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What models say of rows that they have not seen.

    Parameters
    ----------
    margins : float (deals, n)
        Decisions for the row's label, above 0 where they are correct.
    y : bool (n,)
    units : Units
    """

    margins: Floats
    y: Bools
    units: Units

    @classmethod
    def of(cls, fresh: Fresh, table: Table, rows: Rows, folds: Rows) -> HeldOut:
        """Train on the folds (deals, n) of some rows and decide on the one held out."""
        decisions = held_out(fresh.decide(table, rows, training_parts(folds)), folds)
        y = table.y[rows]
        units = Units.of(table.group_keys[rows])
        return cls(np.where(y, 1.0, -1.0) * decisions, y, units)

    def part(self, mask: Bools) -> HeldOut:
        units = Units.of(self.units.keys[self.units.of_row[mask]])
        return HeldOut(self.margins[:, mask], self.y[mask], units)

    @property
    def hits(self) -> Floats:
        """The share of models that are right, (n,); one that cannot tell is right in half."""
        return np.asarray((0.5 + 0.5 * np.sign(self.margins)).mean(axis=0))

    @property
    def accuracy(self) -> float:
        return balanced_accuracy(self.hits, self.y, self.units.of_row)[0]

    def variance(self, centre: float = 0.5) -> float:
        """Return the variance of the accuracy, of models that are right with *centre*.

        Each unit adds the square of its influence on the accuracy. In addition, units train the
        models of each other: the margin of a for its labels rises with b's part in it exactly as
        b's with a's. To first order these correlations sum to 1 for each unit, so that an influence
        that is a function of a normal margin t adds the square of its mean product with t.
        For rows that are right or wrong independently this is 2 / pi of the first term.
        """
        from scipy.stats import rankdata  # takes half a second to import

        of_row = self.units.of_row
        influence = np.bincount(of_row, label_weights(self.y) * (self.hits - centre))
        margin = np.bincount(of_row, self.margins.mean(axis=0))
        kinds = np.stack([self.units.sizes, np.bincount(of_row, self.y)])
        variance = float((influence**2).sum())
        for kind in np.unique(kinds, axis=1).T:
            its = (kind == kinds.T).all(axis=1)
            n = int(its.sum())
            t = ndtri(rankdata(margin[its]) / (n + 1))
            variance += n * float((influence[its] * t).mean()) ** 2
        return variance

    def headroom(self) -> float:
        """Return what a bias that moves the accuracy by 1 would add to its variance.

        A pair of which one twin is right in all models adds little to the variance; a pair of which
        a bias makes both right adds much. If a bias of d makes 2 d of the units right in all their
        rows, it adds 2 d times the difference of both; if it moves all margins alike, nothing. The
        middle is used.
        """
        of_row, weights = self.units.of_row, label_weights(self.y)
        influence = np.bincount(of_row, weights * (self.hits - 0.5))
        largest = np.bincount(of_row, weights * 0.5)
        return max(0.0, float((largest**2 - influence**2).sum()))


def is_measurable(y: Bools, groups: NDArray[np.integer]) -> bool:
    """Whether rows with these labels and groups (n,) are enough to compare with one half."""
    enough = len(y) >= LEAST_ROWS and LEAST_OF_LABEL <= y.sum() <= len(y) - LEAST_OF_LABEL
    return bool(enough) and len(np.unique(groups)) >= LEAST_GROUPS


def compare(fresh: Fresh, table: Table, rows: Rows, *, seed: int) -> Comparisons:
    """Compare the held-out accuracy of fresh models on some rows with one half.

    Parameters
    ----------
    fresh : Fresh
    table : Table
    rows : int (n,), ascending
    seed : int, at least 0

    Returns
    -------
    Comparisons
        An accuracy is above or below one half if it is more standard errors away than a normal
        variable in 5 % of cases. If pairs or unpaired rows are a part of the set and enough to be
        tested, each of these has 0.5 % and the whole set the rest. Intervals have the same standard
        errors and levels, so that one contains one half exactly if the direction is ``none``.

    Notes
    -----
    The standard error is that of the same models on the same rows with exchanged labels: it holds
    for a set without a bias, whatever its features and twins, and a bias does not widen it.

    Source: docs/decisions/0087-one-test.md.
    """
    y, groups = table.y[rows], table.group_keys[rows]
    masks = _masks(groups)
    few = {name: _unmeasured(mask) for name, mask in masks.items()}
    tested = [name for name, mask in masks.items() if is_measurable(y[mask], groups[mask])]
    if "grouped" not in tested:
        return Comparisons(**few)
    actual = HeldOut.of(fresh, table, rows, _folds(table, rows, fresh.deals, seed, "fresh"))
    null = [_exchanged(fresh, table, rows, seed, i) for i in range(fresh.exchanges)]

    def comparison(name: str) -> Comparison:
        mask, alpha = masks[name], ALPHA_OF_PART
        if mask.all():
            alpha = ALPHA - ALPHA_OF_PART * sum(not masks[other].all() for other in tested)
        parts = [comparison_part.part(mask) for comparison_part in null]
        variance, headroom = (
            float(np.mean(values))
            for values in zip(*((part.variance(), part.headroom()) for part in parts), strict=True)
        )
        return Comparison.of(
            actual.part(mask).accuracy,
            variance,
            n=int(mask.sum()),
            alpha=alpha,
            headroom=headroom,
        )

    return Comparisons(**few | {name: comparison(name) for name in tested})


def exchanged_labels(y: Bools, groups: UInt64s, keys: UInt64s, *, seed: int, number: int) -> Bools:
    """Exchange labels at random, within groups and between groups of the same size.

    Parameters
    ----------
    y : bool (n,)
    groups, keys : uint64 (n,)
        Of the groups and the rows.
    seed, number : int, at least 0
        Exchanges of one seed with different numbers are independent.

    Returns
    -------
    bool (n,)
        Twins with opposite labels still have opposite ones.
    """
    units = Units.of(groups)
    size = units.sizes[units.of_row]
    places = np.lexsort((keys, groups, size))
    of_group = priorities(groups, seed=seed, purpose=f"exchange {number}, groups")
    of_row = priorities(keys, seed=seed, purpose=f"exchange {number}, rows")
    exchanged = np.empty_like(y)
    exchanged[places] = y[np.lexsort((of_row, of_group, size))]
    return exchanged


def detectable_from_counts(n: int) -> float | None:
    """Return an accuracy that would be found with at least 80 %, from the number of rows alone.

    As if all rows were unrelated; on twins less is found. None where nothing is measured.
    """
    alpha = ALPHA - 2 * ALPHA_OF_PART
    return _detectable(SPREAD / n, alpha) if n >= LEAST_ROWS else None


def _detectable(variance: float, alpha: float, headroom: float = 0.0) -> float:
    """Return the accuracy of a bias d with d = z(level) sd(none) + z(power) sd(d)."""
    for_level, for_power = -float(ndtri(alpha / 2)) * sqrt(variance), float(ndtri(POWER))
    # d - for_level = for_power * sqrt(variance + d * headroom), a quadratic equation in d.
    half = for_level + for_power**2 * headroom / 2
    root = sqrt(half**2 - for_level**2 + for_power**2 * variance)
    return min(1.0, 0.5 + half + root)


def _masks(groups: UInt64s) -> dict[str, Bools]:
    units = Units.of(groups)
    paired = units.sizes[units.of_row] > 1
    return {"grouped": np.ones(len(groups), dtype=bool), "paired": paired, "unpaired": ~paired}


def _unmeasured(mask: Bools) -> Comparison:
    return Comparison(Estimate(None, None, None, int(mask.sum())), None, None)


def _folds(table: Table, rows: Rows, deals: int, seed: int, purpose: str) -> Rows:
    keys, y = table.group_keys[rows], table.y[rows]
    dealt = [deal_folds(keys, y, seed=seed, purpose=f"{purpose}, deal {i}") for i in range(deals)]
    return np.stack(dealt)  # (deals, n)


def _exchanged(fresh: Fresh, table: Table, rows: Rows, seed: int, number: int) -> HeldOut:
    y = table.y.copy()
    keys, groups = table.keys[rows], table.group_keys[rows]
    y[rows] = exchanged_labels(y[rows], groups, keys, seed=seed, number=number)
    table = replace(table, y=y)
    folds = _folds(table, rows, fresh.deals, seed, f"exchange {number}")
    return HeldOut.of(fresh, table, rows, folds)
