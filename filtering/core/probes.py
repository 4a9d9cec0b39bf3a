"""Probes: held-out accuracy of fresh models, a linear and a small non-linear one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from filtering.core.engines import Base, BatchedEngine, Settings
from filtering.core.engines.thread_pool import thread_pool
from filtering.core.fresh import (
    FOLDS,
    balanced_estimate,
    deal_folds,
    held_out,
    label_weights,
    training_parts,
)
from filtering.core.table import Table
from stats.intervals import NOTHING, Estimate
from stats.keys import Ids

ProbeKind = Literal["linear", "nonlinear"]
LEAST = 4  # twins (or unpaired questions) per fold: with fewer there is no estimate
# Models of different folds share training rows, so their errors correlate: see `Probe`.
WIDENING = 1 + FOLDS / (FOLDS - 1)
HIDDEN, STEPS = 32, 800
MOST_LEARNED = 100_000
AT_ONCE = 4  # perceptrons; each copies its training rows

Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]
Features = NDArray[np.float32]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Leak:
    """Distance of an accuracy from one half, in either direction: below chance is a leak as well.

    Parameters
    ----------
    value, low, high : float in [0, 0.5] or None
        \\|accuracy - 0.5\\|; low is 0 where the interval of the accuracy contains 0.5.
    direction : {'above', 'below', 'none'}
        Of the whole interval; ``none`` where it contains 0.5.
    """

    value: float | None
    low: float | None
    high: float | None
    direction: Literal["above", "below", "none"]

    @classmethod
    def of(cls, accuracy: Estimate) -> Leak:
        if accuracy.value is None or accuracy.low is None or accuracy.high is None:
            return cls(None, None, None, "none")
        ends = sorted((abs(accuracy.low - 0.5), abs(accuracy.high - 0.5)))
        apart = accuracy.low > 0.5 or accuracy.high < 0.5
        side: Literal["above", "below"] = "above" if accuracy.value > 0.5 else "below"
        return cls(
            abs(accuracy.value - 0.5),
            ends[0] if apart else 0.0,
            ends[1],
            side if apart else "none",
        )


@dataclass(frozen=True, slots=True)
class Probe:
    """A model's held-out balanced accuracy in five-fold cross-validation.

    Parameters
    ----------
    grouped, individual : Estimate
        With twins in the same fold, and with folds drawn question by question, so that a question's
        twin is usually in the training set. Labels are balanced in training, and the accuracy is
        the mean of the accuracies on the rows of each label: one half for a model without
        information, whatever the labels' shares. Intervals have 2.25 times the variance of as many
        independent predictions: models of two folds share three quarters of their training rows,
        and a label that is more frequent in the test fold is rarer in the training set. 1 + K /
        (K - 1) is the ratio of the corrected variance to the naive one for K folds; no unbiased
        estimate exists (Bengio and Grandvalet 2004). On noise the ratio is 1.5 to 1.9, so that a
        direction is found in under 5 % of such sets.
    paired, unpaired : Estimate
        As ``grouped``, over the rows whose twin is in the set and over the others: in a set that is
        neutral as a whole one of them may be above one half and the other below. Without a value
        where there are fewer than 20 twins or unpaired questions.

    Source: Nadeau and Bengio, Inference for the generalization error (Machine Learning 2003),
    section 3: a variance of (1/J + n2/n1) σ² instead of σ²/J, here J = K, n2/n1 = 1 / (K - 1).
    """

    grouped: Estimate
    individual: Estimate
    paired: Estimate
    unpaired: Estimate


def probe(
    kind: ProbeKind,
    X: ArrayLike,  # noqa: N803
    y: ArrayLike,
    *,
    ids: Ids,
    twins: Ids,
    seed: int,
    among: Bools | None = None,
    progress: Progress | None = None,
) -> Probe:
    """Cross-validate a fresh model on a set.

    Parameters
    ----------
    kind : {'linear', 'nonlinear'}
        ``linear``: AFLite's own classifier, a logistic regression (C = 1) on centred features.
        ``nonlinear``: a perceptron with one hidden layer of 32 units on features standardised by
        the training set, about 800 steps of Adam (8 to 40 epochs), on at most 100,000 of its rows,
        drawn by the seed.
    X : (n_rows, d), finite
    y : (n_rows,)
        One or two classes.
    ids, twins : (n_rows,) of int or str
    seed : int, at least 0
    among : bool (n_rows,), optional
        Only these rows are used for training and predicted.
    progress : callable (models done, number of models), optional

    Returns
    -------
    Probe
        With either kind of folds every row is predicted once, by a model that has not seen it; the
        folds are those of `deal_folds`, independent of the ensembles. Intervals are over whole
        twins. There are no values with fewer than 20 twins and unpaired questions. Rows are sorted
        first, so their order does not matter.

    Raises
    ------
    ValueError
        When X or y is not finite or not of one length, or y has more than two classes.

    Source: WinoGrande §3 measures the reduction of a bias by KL divergence only; held-out accuracy
    is the advantage a solver has from it. With individual folds linear models are below chance on
    real encodings, since the training row of a question's twin pushes its prediction the wrong way.
    """
    names = np.asarray(twins)
    among = np.ones(len(names), dtype=bool) if among is None else among
    if len(np.unique(names[among])) < FOLDS * LEAST:
        return Probe(NOTHING, NOTHING, NOTHING, NOTHING)
    table = Table.of(X, y, groups=list(twins), ids=list(ids))
    rows = np.flatnonzero(among[table.position])
    right = table.y[rows]
    units = table.group_keys[rows]
    folds = np.stack(
        [
            deal_folds(units, right, seed=seed, purpose="folds of twins"),
            deal_folds(table.keys[rows], right, seed=seed, purpose="folds of questions"),
        ]
    )  # (2, n)
    predicted = _MODELS[kind](table, rows, training_parts(folds), seed, progress)
    grouped, individual = held_out(predicted, folds, right)

    def estimate(hits: Bools, rows: Bools) -> Estimate:
        if len(np.unique(units[rows])) < FOLDS * LEAST:
            return NOTHING
        return balanced_estimate(hits[rows], right[rows], units[rows], widening=WIDENING)

    everyone = np.ones(len(rows), dtype=bool)
    _, unit, sizes = np.unique(units, return_inverse=True, return_counts=True)
    paired = sizes[unit] > 1
    return Probe(
        estimate(grouped, everyone),
        estimate(individual, everyone),
        estimate(grouped, paired),
        estimate(grouped, ~paired),
    )


def _linear(table: Table, rows: Rows, parts: Bools, seed: int, progress: Progress | None) -> Bools:
    n = parts.shape[1]
    m = len(rows) * (FOLDS - 1) // FOLDS
    settings = Settings(C=1.0, tol=1e-3, max_iter=1000, m=m, balanced=True)
    report = None if progress is None else lambda done: progress(done, n)
    engine = BatchedEngine(table, settings)
    return engine.fit(Base.of(rows), rows, parts, progress=report).predictions


def _nonlinear(
    table: Table, rows: Rows, parts: Bools, seed: int, progress: Progress | None
) -> Bools:
    """Predict the rows outside each training set (n, n_models); entries within are undefined."""
    X, y = table.rows(rows), table.y[rows]  # noqa: N806

    def member(part: Bools) -> Bools:
        return _perceptron(X, y, part, seed)

    predictions = np.zeros(parts.shape, dtype=bool)
    with warnings.catch_warnings(), thread_pool(at_most=AT_ONCE) as each:
        warnings.simplefilter("ignore", ConvergenceWarning)  # epochs are limited on purpose
        for i, column in enumerate(each(member, parts.T)):
            predictions[~parts[:, i], i] = column
            if progress is not None:
                progress(i + 1, parts.shape[1])
    return predictions


def _perceptron(X: Features, y: Bools, part: Bools, seed: int) -> Bools:  # noqa: N803
    """Train on the rows in ``part`` (n,) and predict the others (n - part.sum(),)."""
    bits = int(np.random.SeedSequence(seed).generate_state(1)[0])  # scikit-learn takes 32 bits
    learned = _sample(np.flatnonzero(part), bits)
    known = y[learned]
    if known.all() or not known.any():
        return np.full(int((~part).sum()), known[0])
    # Small batches for small sets: ten epochs of two batches would learn nothing.
    batch = min(len(known), 256, max(32, len(known) // 40))
    epochs = min(40, max(8, STEPS * batch // len(known)))
    network = MLPClassifier((HIDDEN,), batch_size=batch, max_iter=epochs, random_state=bits)
    model = make_pipeline(StandardScaler(), network)
    weights = label_weights(known) * len(known)
    model.fit(X[learned], known, mlpclassifier__sample_weight=weights)
    return np.asarray(model.predict(X[~part])).astype(np.bool_)


def _sample(rows: Rows, seed: int) -> Rows:
    if len(rows) <= MOST_LEARNED:
        return rows
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(rows, MOST_LEARNED, replace=False))


_MODELS: dict[ProbeKind, Callable[[Table, Rows, Bools, int, Progress | None], Bools]] = {
    "linear": _linear,
    "nonlinear": _nonlinear,
}
