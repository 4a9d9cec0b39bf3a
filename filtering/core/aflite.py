"""AFLite: remove rows that an ensemble of linear classifiers predicts well when held out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags, Tags
from sklearn.utils.validation import validate_data

from filtering.core.aflite_loop import PhaseLoop, Progress, Rules
from filtering.core.engines import BatchedEngine, Settings
from filtering.core.fresh import FreshModels
from filtering.core.one_half import Comparisons, Direction
from filtering.core.parameters import check_fit, check_parameters, sizes
from filtering.core.phases import Phase, PhaseDone
from filtering.core.probes import whole
from filtering.core.stopping import NeutralStop, PublishedStop, Stop, StopReason
from filtering.core.table import Table, Units
from stats.keys import Ids

# Repetitions of the cross-validation in each look; see docs/decisions/0027-neutral-cut.md.
DEALS = 2
Done = Sequence[Phase | PhaseDone]


class AFLite(BaseEstimator):
    """Filter a data set by Algorithm 1.

    In each phase n logistic regressions are trained on random training sets of size m and predict
    the rows they did not see. The rows that are predicted best are removed first; ``stop`` decides
    how many.

    Parameters
    ----------
    stop : {'neutral', 'published'}
        ``neutral``: rows are removed in order of their mean held-out margin, k rows between two
        looks at fresh cross-validated models, until the accuracy of these is one half; nothing is
        removed unless the test of `one_half.compare` finds it above one half at first.
        ``published``: each phase removes the k rows with the highest predictability score (share of
        correct held-out predictions) of at least tau, until it removes fewer than k or at most m
        rows are left. Unless all rows are paired this ends below one half: even from pure noise it
        leaves a set on which a fresh model is right on 43 %, and its reversed predictions on 57 %.
    n : int, at least 1
        Ensemble size: classifiers per phase.
    m : int, at least 1, or None
        Rows in a training set; with ``partition='grouped'`` at least the rows of the largest
        group, so that no training set is empty. None: the share of the rows that `sizes` of
        `filtering.core.parameters` gives for ``stop``.
    k : int, at least 1, or None
        Cutoff: rows removed per phase, or between two looks; None as for m.
    tau : float in [0, 1]
        Lowest predictability score that is removed. It is read as the decimal it prints as and
        compared in integers, so 3 of 4 reaches 0.75 exactly. Only ``published`` uses it.
    C : float, above 0
        Inverse strength of the L2 penalty: mean log loss + ||w||^2 / (2 C m).
    tol : float, above 0
        Convergence tolerance: a classifier has converged when all remaining steps together would
        change its decisions by no more than this, as the mean over rows of |change| /
        (|decision| + |change|). This is relative to the decisions, so it means the same for
        features of any scale and for any penalty. At 1e-3 at least 9,998 of 10,000 predictions are
        the exact optimum's (measured with features of standard deviation 1e-5 to 1e3 and C from
        1e-3 to 1e4), or the classifier is counted as unconverged. Values below 1e-5 are beyond the
        precision of float32.
    max_iter : int, at least 1
        Steps after which a classifier stops unconverged; the phase counts such classifiers.
    seed : int, at least 0
    partition : {'grouped', 'individual'}
        How training sets are drawn. ``grouped``: twins are either both in a training set or both
        held out; a training set then holds m rows, or as many as whole groups can fill.
        ``individual``, as published: row by row, so a row's twin is often in the training set and
        pushes its prediction the wrong way. Without groups both are the same.
    removal : {'together', 'individual'}
        ``together``: a group goes whole, provided that each of its rows was held out. With
        ``published`` its score is the sum of its rows' correct predictions over the sum of their
        predictions; with ``neutral`` the mean of its rows' margins, divided by the root mean
        square of the scores below 0 of groups of its size. The last group of a phase or step may
        carry the number over k by its size less one.
    device : {'auto', 'cpu', 'cuda'}
        Where classifiers are trained; ``auto`` takes CUDA where there is one. The same bytes come
        out of any number of threads and restarts, but not of another kind of device. Those that
        stall are trained one after the other by Newton's method in float64, and counted as
        fallbacks.

    Attributes
    ----------
    support_ : bool (n_rows,)
        Rows that are kept.
    removed_in_ : int (n_rows,)
        The phase that removed a row, 0 where it is kept.
    phases_ : list of Phase
    stop_reason_ : str
        ``published``: 'fewer_than_k' (also when both hold) or 'at_most_m'. ``neutral``: 'no_bias'
        (fresh models were not found to be above or below one half, nothing was removed; see
        ``fresh_`` for what would have been found), 'below_half' (they were found to be below it,
        nothing was removed), 'at_half' (they were found to be above it, but models with this C in
        the folds of the removal were not, nothing was removed), 'neutral',
        'not_neutral' (at most m rows are left, and fresh models are still above one half),
        'too_few_left' (likewise, and a further step would leave under 200 rows, or under 20 of a
        label), 'nothing_to_remove' (likewise, but no row has a margin above 0) or
        'not_measurable' (under 200 rows, or under 20 of a label or groups, at the start).
    fresh_ : Comparisons or None
        Fresh models (with C = 1) before the filter, compared with one half. None where that was not
        measured: with ``published``, or where there are too few rows.
    classes_ : (n_classes,)
    n_features_in_ : int

    Notes
    -----
    Everything is keyed by row id. Draws and priorities are derived from (seed, phase, member, id),
    and rows are sorted by id before any sum, so a permutation of the rows only permutes the
    result; the number of threads and restarts change nothing either. Without ``ids`` a row's
    position is its id.

    Ties at the cutoff are broken by a random priority per row (per group), drawn again in every
    phase. A row that was never held out has no score, is not removed, and is counted. The last
    phase removes its fewer than k rows before it stops. No phase starts with m rows or fewer. With
    ``neutral`` both labels have the same total weight in classifiers, fresh models and their
    accuracy. A training set with a single class predicts that class. X is centred by its column
    means, which changes only intercepts, and is not scaled.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §3, Algorithm 1. Departures: ``neutral``
    (docs/decisions/0027-neutral-cut.md), ``grouped`` and ``together``; the paper leaves ties,
    unseen rows and the classifier's settings open.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> X = rng.normal(size=(400, 4))
    >>> X[:100, 0] += 8 * (2 * y[:100] - 1)  # the label can be read off the first hundred rows
    >>> found = AFLite(n=16).fit(X, y)
    >>> found.stop_reason_
    'neutral'
    >>> bool(found.support_[:100].mean() < 0.2 < 0.8 < found.support_[100:].mean())
    True
    """

    def __init__(
        self,
        *,
        stop: Literal["neutral", "published"] = "neutral",
        n: int = 64,
        m: int | None = None,
        k: int | None = None,
        tau: float = 0.75,
        C: float = 1.0,  # noqa: N803
        tol: float = 1e-3,
        max_iter: int = 1000,
        seed: int = 0,
        partition: Literal["grouped", "individual"] = "grouped",
        removal: Literal["together", "individual"] = "together",
        device: Literal["auto", "cpu", "cuda"] = "auto",
    ) -> None:
        self.stop = stop
        self.n = n
        self.m = m
        self.k = k
        self.tau = tau
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.seed = seed
        self.partition = partition
        self.removal = removal
        self.device = device

    def fit(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        *,
        groups: Ids | None = None,
        ids: Ids | None = None,
    ) -> Self:
        """Run all phases; see `steps` for the arguments and the errors."""
        # Only for what scikit-learn keeps of X (n_features_in_, feature names); steps() converts.
        validate_data(self, X, y, dtype=None, ensure_all_finite=False)
        table = self.checked_table(X, y, groups, ids)
        self.fresh_: Comparisons | None = None

        def side() -> Direction | None:
            self.fresh_ = whole(table, device=self.device)
            return self.fresh_.grouped.direction

        phase_loop = self.phase_loop(table, side=side)
        self.phases_ = list(phase_loop.phases([]))
        self.classes_ = np.unique(np.asarray(y))
        self.removed_in_ = np.zeros(len(np.asarray(y)), dtype=np.int64)
        for phase in self.phases_:
            self.removed_in_[phase.removed] = phase.number
        self.support_ = self.removed_in_ == 0
        ended = self.phases_[-1].stop_reason if self.phases_ else phase_loop.reason_not_to_start
        self.stop_reason_: StopReason | None = ended
        return self

    def rules(self, n_rows: int) -> Rules:
        """Return the rules that draw the training sets of a run over *n_rows*."""
        return Rules(n=self.n, m=self.sizes(n_rows)[0], seed=self.seed, partition=self.partition)

    def sizes(self, n_rows: int) -> tuple[int, int]:
        """Return m and k for *n_rows* rows; the preset's shares of them where m or k is None."""
        m, k = sizes(self.stop, n_rows)
        return (m if self.m is None else self.m), (k if self.k is None else self.k)

    def steps(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        *,
        groups: Ids | None = None,
        ids: Ids | None = None,
        done: Done = (),
        progress: Progress | None = None,
    ) -> Iterator[Phase]:
        """Run phase by phase, starting with the first that is not in ``done``.

        Parameters
        ----------
        X : (n_rows, d), finite
            Used as float32, and never copied as a whole when large: a file of any size may be
            passed as ``np.load(path, mmap_mode='r')``. Other number types are converted block by
            block. Rows in ascending order of ``ids`` are read sequentially, others one by one.
        y : (n_rows,)
            One or two classes.
        groups : (n_rows,) of int or str, optional
            Twins share one; needed by ``partition='grouped'`` and ``removal='together'``.
        ids : (n_rows,) of int or str, distinct, optional
            Default: 0, 1, 2, …
        done : sequence, optional
            For each phase already run, in order: its `Phase`, or a `PhaseDone`.
        progress : callable (classifiers done, n), optional
            Called as the classifiers of a phase, and the fresh models of a look, are trained.

        Returns
        -------
        iterator of Phase
            Ends after a phase with a ``stop_reason``; empty when the run is complete. The phases
            are the same as in an uninterrupted run.

        Raises
        ------
        ValueError
            Raised by the call itself, not by the first phase: when a parameter is out of range, X
            or y is not finite or not of one length, y has more than two classes, a group is larger
            than m, or ids repeat or do not match ``done``.
        """
        return self.phase_loop(self.checked_table(X, y, groups, ids), progress).phases(done)

    def phase_loop(
        self,
        table: Table,
        progress: Progress | None = None,
        side: Callable[[], Direction | None] | None = None,
    ) -> PhaseLoop:
        """Return the loop over a table returned by `checked_table`.

        ``side`` is called before anything is removed to a neutral set, and returns the side of one
        half that fresh models are on; without it they are measured then.
        """
        engine = self.make_engine(table)
        (m, k), together = self.sizes(table.n_rows), self.removal == "together"
        stop: Stop = PublishedStop(m, k, self.tau, together)
        if self.stop == "neutral":
            models = FreshModels(table, engine, deals=DEALS, seed=self.seed)
            side = side or partial(self._side, table, progress)
            stop = NeutralStop(m, k, together, side, models, progress)
        return PhaseLoop(self.rules(table.n_rows), stop, table, engine, progress)

    def _side(self, table: Table, progress: Progress | None) -> Direction | None:
        return whole(table, device=self.device, progress=progress).grouped.direction

    def checked_table(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        groups: Ids | None,
        ids: Ids | None,
    ) -> Table:
        """Check parameters and input as `steps` does, and sort the rows."""
        check_parameters(self.get_params())
        table = Table.of(X, y, groups=groups, ids=ids)
        if groups is not None and self.partition == "grouped":
            check_fit(self.sizes(table.n_rows)[0], Units.of(table.group_keys).sizes)
        return table

    def make_engine(self, table: Table) -> BatchedEngine:
        """Return the engine that trains the classifiers of a table's phases."""
        m, balanced = self.sizes(table.n_rows)[0], self.stop == "neutral"
        settings = Settings(C=self.C, tol=self.tol, max_iter=self.max_iter, m=m, balanced=balanced)
        return BatchedEngine(table, settings, device=self.device)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
