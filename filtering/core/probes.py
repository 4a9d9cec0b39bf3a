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
from filtering.core.fresh import FOLDS, deal_folds, label_weights
from filtering.core.one_half import Comparison, Comparisons, Fresh, HeldOut, compare
from filtering.core.table import Table
from stats.intervals import NOTHING, Estimate
from stats.keys import Ids

ProbeKind = Literal["linear", "nonlinear"]
# Deals of folds and exchanges of labels. Perceptrons take longer, and their figure is not the gate.
REPEATS: dict[ProbeKind, tuple[int, int]] = {"linear": (10, 3), "nonlinear": (1, 1)}
# Draws folds and exchanges for the gate and for the figures of all runs over an encoding.
SEED = 0
HIDDEN, STEPS = 32, 800
MOST_LEARNED = 100_000
AT_ONCE = 4  # perceptrons; each copies its training rows

Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]
Features = NDArray[np.float32]
Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Probe:
    """A model's held-out balanced accuracy in five-fold cross-validation.

    Parameters
    ----------
    grouped, paired, unpaired : Comparison
        With twins in the same fold, as in `Comparisons`. Labels are balanced in training, and the
        accuracy is the mean of the accuracies on the rows of each label: one half for a model
        without information, whatever the labels' shares.
    individual : Estimate
        With folds drawn question by question, so that a question's twin is usually in the training
        set and pushes its prediction the wrong way. It is below one half without any bias, and is
        not compared with it.
    """

    grouped: Comparison
    paired: Comparison
    unpaired: Comparison
    individual: Estimate


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
        With either kind of folds rows are predicted by models that have not seen them; the folds
        are those of `deal_folds`, independent of the ensembles. Rows are sorted first, so their
        order does not matter.

    Raises
    ------
    ValueError
        When X or y is not finite or not of one length, or y has more than two classes.

    Source: WinoGrande §3 measures the reduction of a bias by KL divergence only; held-out accuracy
    is the advantage a solver has from it. With individual folds linear models are below chance on
    real encodings, since the training row of a question's twin pushes its prediction the wrong way.
    """
    table = Table.of(X, y, groups=list(twins), ids=list(ids))
    rows = np.arange(table.n_rows) if among is None else np.flatnonzero(among[table.position])
    fresh = fresh_models(kind, seed=seed, progress=progress)
    found = compare(fresh, table, rows, seed=seed)
    individual = _individual(fresh, table, rows, seed) if found.grouped.direction else NOTHING
    return Probe(found.grouped, found.paired, found.unpaired, individual)


def whole(table: Table, *, device: str = "auto", progress: Progress | None = None) -> Comparisons:
    """Compare fresh linear models on a whole table with one half, as the first figure of a run."""
    fresh = fresh_models("linear", seed=SEED, device=device, progress=progress)
    return compare(fresh, table, np.arange(table.n_rows), seed=SEED)


def fresh_models(
    kind: ProbeKind, *, seed: int, device: str = "auto", progress: Progress | None = None
) -> Fresh:
    """Return fresh models of a kind; ``seed`` draws what a perceptron starts from."""
    deals, exchanges = REPEATS[kind]
    total, done = FOLDS * (deals * (1 + exchanges) + 1), 0

    def decide(table: Table, rows: Rows, parts: Bools) -> NDArray[np.floating]:
        nonlocal done
        decisions: NDArray[np.floating]
        report = None if progress is None else lambda i: progress(done + i, total)
        if kind == "linear":
            decisions = _linear(table, rows, parts, device, report)
        else:
            decisions = _nonlinear(table, rows, parts, seed, report)
        done += parts.shape[1]
        return decisions

    return Fresh(decide, deals, exchanges)


def _individual(fresh: Fresh, table: Table, rows: Rows, seed: int) -> Estimate:
    """Estimate the accuracy in folds drawn question by question, with an interval over twins."""
    folds = deal_folds(table.keys[rows], table.y[rows], seed=seed, purpose="folds of questions")
    found = HeldOut.of(fresh, table, rows, folds[None])
    accuracy = found.accuracy
    return Comparison.of(accuracy, found.variance(accuracy), n=len(rows), alpha=0.05).accuracy


def _linear(
    table: Table, rows: Rows, parts: Bools, device: str, report: Callable[[int], None] | None
) -> NDArray[np.float32]:
    m = len(rows) * (FOLDS - 1) // FOLDS
    settings = Settings(C=1.0, tol=1e-3, max_iter=1000, m=m, balanced=True)
    engine = BatchedEngine(table, settings, device=device)
    return engine.fit(Base.of(rows), rows, parts, progress=report).decisions


def _nonlinear(
    table: Table, rows: Rows, parts: Bools, seed: int, report: Callable[[int], None] | None
) -> Floats:
    """Decide on the rows outside each training set (n, n_models); entries within are 0."""
    X, y = table.rows(rows), table.y[rows]  # noqa: N806

    def member(part: Bools) -> Floats:
        return _perceptron(X, y, part, seed)

    decisions = np.zeros(parts.shape)
    with warnings.catch_warnings(), thread_pool(at_most=AT_ONCE) as each:
        warnings.simplefilter("ignore", ConvergenceWarning)  # epochs are limited on purpose
        for i, column in enumerate(each(member, parts.T)):
            decisions[~parts[:, i], i] = column
            if report is not None:
                report(i + 1)
    return decisions


def _perceptron(X: Features, y: Bools, part: Bools, seed: int) -> Floats:  # noqa: N803
    """Train on the rows in ``part`` (n,) and decide on the others (n - part.sum(),)."""
    bits = int(np.random.SeedSequence(seed).generate_state(1)[0])  # scikit-learn takes 32 bits
    learned = _sample(np.flatnonzero(part), bits)
    known = y[learned]
    if known.all() or not known.any():
        return np.full(int((~part).sum()), 0.5 if known[0] else -0.5)
    # Small batches for small sets: ten epochs of two batches would learn nothing.
    batch = min(len(known), 256, max(32, len(known) // 40))
    epochs = min(40, max(8, STEPS * batch // len(known)))
    network = MLPClassifier((HIDDEN,), batch_size=batch, max_iter=epochs, random_state=bits)
    model = make_pipeline(StandardScaler(), network)
    weights = label_weights(known) * len(known)
    model.fit(X[learned], known, mlpclassifier__sample_weight=weights)
    return np.asarray(model.predict_proba(X[~part])[:, 1] - 0.5)


def _sample(rows: Rows, seed: int) -> Rows:
    if len(rows) <= MOST_LEARNED:
        return rows
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(rows, MOST_LEARNED, replace=False))
