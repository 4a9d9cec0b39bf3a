"""Balanced accuracy of fresh, cross-validated linear models on a set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filtering.core.engines import Base, BatchedEngine
from filtering.core.table import Table
from stats.keys import UInt64s, priorities

FOLDS = 5

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Look:
    """The accuracy of fresh models on the rows left.

    Parameters
    ----------
    n_left : int
        Number of rows.
    accuracy : float in [0, 1]
        Mean of the accuracies on the rows of each label, so that always predicting one label
        gives one half.
    error : float
        Its standard error, clustered by group, for the given folds.
    """

    n_left: int
    accuracy: float
    error: float


def deal_folds(keys: UInt64s, y: Bools, *, seed: int, purpose: str) -> Rows:
    """Assign rows to folds of equal size at random, stratified by the kind of unit.

    Parameters
    ----------
    keys : uint64 (n,)
        Rows with one key are a unit and stay in one fold.
    y : bool (n,)
        Units with the same numbers of rows of each label are assigned in turn, so every fold has
        its share of each kind. Otherwise a label that is rarer in the test fold would be more
        frequent in the training folds, and a balanced small set would seem below chance.
    seed, purpose
        As in `priorities`.

    Returns
    -------
    int (n,)
        From 0 to `FOLDS` - 1.
    """
    units, of_row = np.unique(keys, return_inverse=True)
    random = priorities(units, seed=seed, purpose=purpose)
    sizes, positive = np.bincount(of_row), np.bincount(of_row, weights=y)
    order = np.lexsort((random, positive, sizes))  # (n_units,), same kinds adjacent
    fold = np.empty(len(units), dtype=np.intp)
    fold[order] = np.arange(len(units)) % FOLDS
    return fold[of_row]


def training_parts(folds: Rows) -> Bools:
    """Return the training sets when each fold of each repetition (deals, n) is held out in turn.

    Returns
    -------
    bool (n, deals * FOLDS)
    """
    return np.concatenate([of_row != np.arange(FOLDS)[:, None] for of_row in folds]).T


def held_out(values: NDArray[Any], folds: Rows) -> NDArray[Any]:
    """Return what the model that held a row out says of it: (deals, n).

    Parameters
    ----------
    values : (n, deals * FOLDS)
        Predictions or decisions of the models of `training_parts`.
    folds : int (deals, n)
    """
    rows = np.arange(len(values))
    return np.stack([values[rows, FOLDS * i + fold] for i, fold in enumerate(folds)])


def label_weights(y: Bools) -> Floats:
    """Return row weights with which each label has half of the weight: (n,), their sum is 1.

    Where all rows have one label, each has the weight 1 / n.
    """
    counts = np.bincount(y, minlength=2)
    return 1 / (np.count_nonzero(counts) * counts[y.astype(np.intp)])


def balanced_accuracy(hits: Floats, y: Bools, units: NDArray[np.integer]) -> tuple[float, float]:
    """Return the mean of the labels' accuracies, and its standard error.

    Parameters
    ----------
    hits : float in [0, 1] (n,)
        Each row's share of correct predictions.
    y : bool (n,)
    units : int (n,)
        Rows with the same value are dependent: the variance is over whole units.

    Returns
    -------
    accuracy, error : float
    """
    labels, of_label = np.unique(y, return_inverse=True)
    by_label = np.bincount(of_label, weights=hits) / np.bincount(of_label)  # (1 or 2,)
    influence = label_weights(y) * (hits - by_label[of_label])
    _, of_row = np.unique(units, return_inverse=True)
    error = sqrt(float((np.bincount(of_row, weights=influence) ** 2).sum()))
    return float(by_label.sum() / len(labels)), error


class FreshModels:
    """Cross-validated linear models over subsets of a table's rows, on folds drawn once.

    Cross-validation is five-fold, over whole groups, repeated ``deals`` times: in each repetition
    every row left is predicted once by a model trained on the rows left of the other folds. Folds
    are the same for all subsets, so two looks differ only by the rows removed between them.
    """

    def __init__(self, table: Table, engine: BatchedEngine, *, deals: int, seed: int) -> None:
        """``engine`` weighs labels alike; ``seed`` draws folds that no ensemble has to do with."""
        self._table, self._engine = table, engine
        self._folds = np.stack(
            [
                deal_folds(table.group_keys, table.y, seed=seed, purpose=f"fresh models, deal {i}")
                for i in range(deals)
            ]
        )  # (deals, n_rows)

    def look(
        self, base: Base, rows: Rows, *, progress: Callable[[int, int], None] | None = None
    ) -> Look:
        """Measure the accuracy on a subset of the rows of ``base``, int (n_left,), ascending.

        ``progress`` is called with the number of models trained, and their total.
        """
        y, folds = self._table.y[rows], self._folds[:, rows]
        masks = training_parts(folds)
        report = None if progress is None else lambda done: progress(done, masks.shape[1])
        predicted = self._engine.fit(base, rows, masks, progress=report).predictions
        hits = (held_out(predicted, folds) == y).mean(axis=0)  # (n_left,)
        return Look(len(rows), *balanced_accuracy(hits, y, self._table.group_keys[rows]))
