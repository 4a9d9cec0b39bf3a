"""What fresh models still guess: held-out accuracy of a linear and of a small non-linear one."""

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
LEAST = 4  # twins (or unpaired questions) a fold: with fewer there is nothing to tell
# Models of different folds share examples and err alike: see `Probe`.
WIDENING = 1 + FOLDS / (FOLDS - 1)
HIDDEN, STEPS = 32, 800
MOST_LEARNED = 100_000
AT_ONCE = 4  # perceptrons, each with its part of the features copied

Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]
Features = NDArray[np.float32]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Leak:
    """How far an accuracy lies from one half, in either direction: below chance leaks as well.

    Parameters
    ----------
    value, low, high : float in [0, 0.5] or None
        \\|accuracy - 0.5\\|; low is 0 where the interval of the accuracy holds 0.5.
    direction : {'above', 'below', 'none'}
        Of the whole interval; ``none`` where it holds 0.5.
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
    """A model's held-out accuracy over five folds, both labels weighed alike.

    Parameters
    ----------
    grouped, individual : Estimate
        With twins on one side of every fold, and with folds drawn question by question, so that a
        question's twin is mostly among the examples. Models learn with both labels weighed alike,
        and the accuracy is the mean of those over the rows of either label: one half for a model
        that knows nothing, whatever the labels' shares. Intervals have 2.25 times the variance of
        as many independent hits: two folds' models share three quarters of their examples, and
        what the test part has of one label the examples lack. 1 + K / (K - 1) is the ratio of the
        corrected variance to the naive one for K folds; no unbiased estimate exists (Bengio and
        Grandvalet 2004). On noise it is 1.5 to 1.9, so that a direction is seen in under 5 % of
        such sets.
    paired, unpaired : Estimate
        As ``grouped``, over the rows whose twin is in the set and over the others: of a set that
        is neutral as a whole one of them may be above one half and the other below. Each without
        a value where it has fewer than 20 twins or unpaired questions.

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
        the training part, about 800 steps of Adam (from 8 to 40 epochs), of at most 100,000 of
        its rows, drawn by the seed.
    X : (n_rows, d), finite
    y : (n_rows,)
        One or two classes.
    ids, twins : (n_rows,) of int or str
    seed : int, at least 0
    among : bool (n_rows,), optional
        Only these rows are learned from and predicted.
    progress : callable (models done, all), optional

    Returns
    -------
    Probe
        Every row is predicted once under either kind of fold, by a model that has not seen it;
        the folds are dealt as `deal_folds` says, and no ensemble has to do with them. Intervals
        are over whole twins. Without values where there are fewer than 20 twins and unpaired
        questions. Rows are put in an order of their own first, so theirs plays no part.

    Raises
    ------
    ValueError
        When X or y is not finite or not of one length, or y has over two classes.

    Source: WinoGrande §3 tells how far AFLite reduces a bias by KL divergence alone; held-out
    accuracy is what a solver gains by it. AFLITE.md: on real encodings linear models are below
    chance with individual folds, since twins pull each other the wrong way.
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
    """Predict of each part (n, n_models) the rows outside it; within it nothing is said."""
    X, y = table.rows(rows), table.y[rows]  # noqa: N806

    def member(part: Bools) -> Bools:
        return _perceptron(X, y, part, seed)

    predictions = np.zeros(parts.shape, dtype=bool)
    with warnings.catch_warnings(), thread_pool(at_most=AT_ONCE) as each:
        warnings.simplefilter("ignore", ConvergenceWarning)  # a few epochs are all they get
        for i, column in enumerate(each(member, parts.T)):
            predictions[~parts[:, i], i] = column
            if progress is not None:
                progress(i + 1, parts.shape[1])
    return predictions


def _perceptron(X: Features, y: Bools, part: Bools, seed: int) -> Bools:  # noqa: N803
    """Learn from a part (n,) and predict the other rows (n - part.sum(),)."""
    bits = int(np.random.SeedSequence(seed).generate_state(1)[0])  # scikit-learn takes 32 bits
    learned = _sample(np.flatnonzero(part), bits)
    known = y[learned]
    if known.all() or not known.any():
        return np.full(int((~part).sum()), known[0])
    # Small sets in small batches: ten passes over two batches would learn nothing.
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
