"""Accuracies of cross-validated linear models, for the labels and for random relabellings."""

from collections.abc import Sequence
from math import lcm

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold

from evaluation.core.artifacts.contrasts import Contrasts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 10
LEAST_PENALTY = 1e-9  # where no feature distinguishes any options
# Predictions of this size are rounding errors of zero, as for twins that look the same.
NOTHING = 1e-9


def relabelled(answers: Ints, sizes: Ints, groups: Ints, *, times: int, seed: int) -> Ints:
    """Return the answers, and random relabellings in which groups keep their structure.

    Parameters
    ----------
    answers : int (n,)
        From 0 to k - 1.
    sizes : int (n,)
        Number of options k of each item.
    groups : int (n,)
        From 0. All answers of a group move on by the same number of options, so that twins keep
        different answers and both directions of a pair are equally likely.
    times : int
        Number of relabellings.
    seed : int

    Returns
    -------
    int (n, 1 + times)
        The first column is ``answers``.
    """
    rng = np.random.default_rng(seed)
    turns = rng.integers(0, lcm(*map(int, np.unique(sizes))), (groups.max() + 1, times))
    moved = (answers[:, None] + turns[groups]) % sizes[:, None]
    return np.column_stack([answers, moved])


def held_out_credits(
    kernels: Sequence[Floats], contrasts: Contrasts, labels: Ints, groups: Ints, *, seed: int
) -> Floats:
    """Return the credit of every item under every labelling, predicted from other groups.

    Parameters
    ----------
    kernels : sequence of float (n_rows, n_rows)
        The views of the items: a model of each is trained.
    contrasts : Contrasts
    labels : int (n, m)
    groups : int (n,)
        Items of a group are in one fold.
    seed : int
        Draws the folds.

    Returns
    -------
    float in [0, 1] (n, m)

    Notes
    -----
    A fold is predicted by a weighted sum of the models. A model has the weight 1 plus the square of
    its z on the other folds where that is above 0, so that one view with a leak is not lost among
    views without. If all are below chance, they count alike, and so is their sum.
    """
    of_row, targets = contrasts.item_of_row, contrasts.targets(labels)
    splitter = GroupKFold(min(FOLDS, groups.max() + 1), shuffle=True, random_state=seed)
    folds = [test for _, test in splitter.split(of_row, groups=groups[of_row])]
    total = np.zeros_like(targets)
    for kernel in kernels:
        predicted = held_out_predictions(kernel, targets, folds)
        predicted[np.abs(predicted) < NOTHING] = 0
        for test, weights in zip(folds, _weights(predicted, targets, folds), strict=True):
            total[test] += predicted[test] * weights
    return contrasts.credits(total, labels)


def held_out_predictions(
    kernel: Floats, targets: Floats, folds: Sequence[NDArray[np.intp]]
) -> Floats:
    """Return the predictions for each fold by ridge regressions on the other folds.

    Parameters
    ----------
    kernel : float (n, n)
    targets : float (n, m)
    folds : sequence of int arrays
        The rows of each fold.

    Returns
    -------
    float (n, m)

    Notes
    -----
    The model is scikit-learn's ``KernelRidge`` with a penalty of the kernel's mean diagonal. Its
    predictions are linear in the targets, so all labellings and folds share one inverse: with G the
    kernel plus the penalty, the held-out residuals of a fold T are ((G⁻¹)_TT)⁻¹ (G⁻¹ y)_T. Fitting
    each fold separately takes six times as long.

    Source: An, Liu and Venkatesh, Fast cross-validation algorithms for least squares support vector
    machine and kernel ridge regression (Pattern Recognition 2007).
    """
    penalty = max(float(np.trace(kernel)) / len(kernel), LEAST_PENALTY)
    inverse = np.linalg.inv(kernel + penalty * np.eye(len(kernel)))
    weights = inverse @ targets
    predicted = np.empty_like(targets)
    for test in folds:
        residuals = np.linalg.solve(inverse[np.ix_(test, test)], weights[test])
        predicted[test] = targets[test] - residuals
    return predicted


def _weights(predicted: Floats, targets: Floats, folds: Sequence[NDArray[np.intp]]) -> list[Floats]:
    """Return for each fold the weight of a model for every labelling, from the other folds."""
    agreement = predicted * targets
    # Each (n_folds, m); the other folds are the total without this one.
    sums, squares, sizes = (
        np.stack([values[test].sum(axis=0) for test in folds])
        for values in (agreement, agreement**2, predicted**2)
    )
    deviation = np.sqrt(np.maximum(squares.sum(axis=0) - squares, 0))
    z = (sums.sum(axis=0) - sums) / np.maximum(deviation, NOTHING)
    n_others = len(predicted) - np.array([len(test) for test in folds])[:, None]
    size = np.sqrt(np.maximum(sizes.sum(axis=0) - sizes, 0) / n_others)
    return list((1 + np.maximum(z, 0) ** 2) / np.maximum(size, NOTHING))


def group_credits(credits: Floats, groups: Ints) -> Floats:
    """Return for every group of two or more items whether all are right: (n_groups, m), 0 or 1.

    Parameters
    ----------
    credits : float in [0, 1] (n, m)
        A tie is not right here: a model that ties in both twins cannot tell them apart, and would
        never be right on both.
    groups : int (n,)
    """
    order = np.argsort(groups, kind="stable")
    _, starts, sizes = np.unique(groups[order], return_index=True, return_counts=True)
    right = np.asarray(credits[order] == 1, dtype=np.float64)
    return np.minimum.reduceat(right, starts, axis=0)[sizes > 1]
