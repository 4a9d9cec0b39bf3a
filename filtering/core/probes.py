"""Fresh models of a selection, the parts they train on, and controls of equal size."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import joblib
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
from stats.keys import Ids, UInt64s, fill_up, mix, priorities


def training_masks(
    keys: UInt64s, *, m: int, members: UInt64s, units: NDArray[np.intp] | None = None
) -> NDArray[np.bool_]:
    """Draw the training set of every ensemble member.

    Parameters
    ----------
    keys : uint64 (n_rows,) or (n_units,)
        Distinct keys of the rows, or of the groups when ``units`` is given.
    m : int
        Size of a training set, below the number of rows.
    members : uint64 (n,)
        `PhaseKeys.members`.
    units : int (n_rows,), optional
        Each row's group as an index into ``keys``. Groups are then taken whole, in the order of
        their draw; one that no longer fits is skipped. A training set has fewer than m rows only
        when no group left is small enough, and never more.

    Returns
    -------
    bool (n_rows, n)
        True where a row is in a member's training set.

    Source: WinoGrande §3, Algorithm 1, line 6. Departure: with ``units``, groups stay whole.
    """
    sizes = None if units is None else np.bincount(units, minlength=len(keys))

    def draw(member: np.uint64) -> NDArray[np.bool_]:
        random_keys = mix(keys ^ member)
        if units is None or sizes is None:
            # Draws are distinct, so exactly m of them are at most the m-th.
            return np.asarray(random_keys <= _smallest(random_keys, m))
        order = np.argsort(random_keys)
        return fill_up(sizes[order], room=m)[np.argsort(order)][units]

    with ThreadPoolExecutor(joblib.cpu_count()) as pool:
        return np.stack(list(pool.map(draw, members)), axis=1)  # (n_rows, n)


def _smallest(random_keys: UInt64s, m: int) -> np.uint64:
    """Return the m-th smallest of random keys (n,)."""
    # Draws are uniform, so it is nearly always below this share of their range; partitioning only
    # those takes a third of the time.
    share = (m + 4 * m**0.5) / len(random_keys)
    low = random_keys[random_keys < np.uint64(share * 2.0**64)] if share < 1 else random_keys
    among = random_keys if len(low) < m else low
    return np.uint64(np.partition(among, m - 1)[m - 1])


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """The rows that a control removes.

    Parameters
    ----------
    removed : bool (n,)
    tied_at_cutoff : int
        Rows whose score equals the lowest score removed, among which the seed chose; 0 where there
        are no scores.
    """

    removed: NDArray[np.bool_]
    tied_at_cutoff: int


def reduce_to(
    size: int,
    *,
    ids: Ids,
    twins: Ids,
    seed: int,
    removal: Literal["individual", "together"],
    scores: NDArray[np.float64] | None = None,
) -> Reduction:
    """Keep *size* questions: those with the lowest scores, or random ones without scores.

    Parameters
    ----------
    size : int from 0 to n
    ids, twins : (n,) of int or str
        Questions of one twin share a value in ``twins``.
    seed : int, at least 0
        Draws are keyed by id, so the order of the rows does not matter.
    removal : {'individual', 'together'}
        ``individual``: exactly *size* are kept; at random question by question, by score in the
        order of the twins, so at most one twin is broken. ``together``: twins are kept or removed
        whole; one that no longer fits is skipped, so the result may be one question short of *size*
        if no unpaired question fits.
    scores : float (n,), optional
        Of the question's twin, the same for both questions. Ties are broken by a random priority of
        the twin.

    Returns
    -------
    Reduction

    Raises
    ------
    ValueError
        When ``size`` is out of range or lengths differ.

    Source: WinoGrande §3, "random data reduction and PMI-based filtering" ("we only retain twins
    that have a small difference in their PMI values").

    Examples
    --------
    >>> ids, twins = ["a1", "a2", "b1", "b2"], ["a", "a", "b", "b"]
    >>> scores = np.array([0.9, 0.9, 0.1, 0.1])
    >>> found = reduce_to(2, ids=ids, twins=twins, seed=0, removal="together", scores=scores)
    >>> found.removed.tolist()
    [True, True, False, False]
    """
    if not 0 <= size <= len(ids):
        raise ValueError(f"size must be from 0 to {len(ids)}, the number of questions, got {size}")
    if len(twins) != len(ids) or (scores is not None and len(scores) != len(ids)):
        raise ValueError(f"twins and scores must have one entry per id ({len(ids)})")
    by_twin = priorities(twins, seed=seed, purpose="control, twins")
    by_row = priorities(ids, seed=seed, purpose="control, questions")
    if removal == "individual" and scores is None:
        order = np.argsort(by_row)
    else:
        first = np.zeros(len(ids)) if scores is None else scores
        order = np.lexsort((by_row, by_twin, first))
    is_kept = np.zeros(len(ids), dtype=bool)
    is_kept[_filled(order, by_twin, size) if removal == "together" else order[:size]] = True
    return Reduction(~is_kept, _tied(scores, is_kept))


def _filled(order: NDArray[np.intp], unit: NDArray[np.uint64], size: int) -> NDArray[np.intp]:
    """Take whole twins in order while they fit; in *order* a twin's rows are adjacent."""
    starts = np.flatnonzero(np.r_[True, unit[order][1:] != unit[order][:-1]][: len(order)])
    sizes = np.diff(np.r_[starts, len(order)])
    return order[np.repeat(fill_up(sizes, room=size), sizes)]


def _tied(scores: NDArray[np.float64] | None, is_kept: NDArray[np.bool_]) -> int:
    if scores is None or is_kept.all():
        return 0
    return int((scores == scores[~is_kept].min()).sum())


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
    scores = compare(fresh, table, rows, seed=seed)
    individual = _individual(fresh, table, rows, seed) if scores.grouped.direction else NOTHING
    return Probe(scores.grouped, scores.paired, scores.unpaired, individual)


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
    held_out = HeldOut.of(fresh, table, rows, folds[None])
    accuracy = held_out.accuracy
    return Comparison.of(accuracy, held_out.variance(accuracy), n=len(rows), alpha=0.05).accuracy


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
    labels = y[learned]
    if labels.all() or not labels.any():
        return np.full(int((~part).sum()), 0.5 if labels[0] else -0.5)
    # Small batches for small sets: ten epochs of two batches would learn nothing.
    batch = min(len(labels), 256, max(32, len(labels) // 40))
    epochs = min(40, max(8, STEPS * batch // len(labels)))
    network = MLPClassifier((HIDDEN,), batch_size=batch, max_iter=epochs, random_state=bits)
    model = make_pipeline(StandardScaler(), network)
    weights = label_weights(labels) * len(labels)
    model.fit(X[learned], labels, mlpclassifier__sample_weight=weights)
    return np.asarray(model.predict_proba(X[~part])[:, 1] - 0.5)


def _sample(rows: Rows, seed: int) -> Rows:
    if len(rows) <= MOST_LEARNED:
        return rows
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(rows, MOST_LEARNED, replace=False))
