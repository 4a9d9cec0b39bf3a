"""AFLite: remove what an ensemble of linear classifiers guesses without having seen it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags, Tags
from sklearn.utils.validation import validate_data

from filtering.core.engines import BatchedEngine, Settings
from filtering.core.fresh import FreshModels
from filtering.core.parameters import check_fit, check_parameters
from filtering.core.phase_loop import PhaseLoop, Progress, Rules
from filtering.core.phases import Phase, PhaseDone
from filtering.core.presets import sizes
from filtering.core.stopping import NeutralStop, PublishedStop, Stop, StopReason
from filtering.core.table import Table, Units
from stats.keys import Ids

# Deals of folds that a look takes; see docs/decisions/0027-neutral-cut.md.
DEALS = 2
Done = Sequence[Phase | PhaseDone]


class AFLite(BaseEstimator):
    """Filter a data set by Algorithm 1.

    In each phase n logistic regressions learn from random parts of size m and predict the rows
    they did not see. Rows that they predict best go first; how many, ``stop`` says.

    Parameters
    ----------
    stop : {'neutral', 'published'}
        ``neutral``: rows go by their mean held-out margin, k between two looks at fresh
        cross-validated models, until these are right on one half; nothing goes unless they are
        clearly above one half at first. ``published``: in each phase the k rows with the highest
        share of correct predictions at or above tau go, until fewer than k do or at most m rows
        are left. Unless all rows are paired this ends below one half: even of pure noise it leaves
        a set of which a fresh model answers 43 %, which reversed is 57 %.
    n : int, at least 1
        Classifiers per phase.
    m : int, at least 1, or None
        Rows in a training part; with ``partition='grouped'`` at least the rows of the largest
        group, so that no part is empty. None: the share of the rows that `sizes` of
        `filtering.core.presets` says for ``stop``.
    k : int, at least 1, or None
        Rows removed per phase, or between two looks; None as for m.
    tau : float in [0, 1]
        Lowest score that is removed, taken as the decimal it prints as and compared in integers,
        so 3 of 4 reaches 0.75 exactly. Only ``published`` uses it.
    C : float, above 0
        Inverse strength of the L2 penalty: mean log loss + ||w||^2 / (2 C m).
    tol : float, above 0
        A classifier is done when its steps have become so small that all that are still to come
        would change its decisions by no more than this: the mean over rows of |change| /
        (|decision| + |change|). That is relative to the decisions, so it means the same for
        features of any scale and for any penalty. At 1e-3 at least 9,998 of 10,000 predictions are
        the exact optimum's (measured with features that deviate by 1e-5 to 1e3, C from 1e-3 to
        1e4), or the classifier is counted as unconverged. Below 1e-5 float32 has nothing more to
        give.
    max_iter : int, at least 1
        Steps after which a classifier stops anyway; the phase counts such members.
    seed : int, at least 0
    partition : {'grouped', 'individual'}
        How training parts are drawn. ``grouped``: twins stay on one side; a part then holds m
        rows, or the most that whole groups can fill. ``individual``, as published: row by row, so
        a row's twin is often in the training part and pushes its prediction the wrong way.
        Without groups both are the same.
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
        Rows that stay.
    removed_in_ : int (n_rows,)
        The phase that removed a row, 0 where it stays.
    phases_ : list of Phase
    stop_reason_ : str
        ``published``: 'fewer_than_k' (also when both hold) or 'at_most_m'. ``neutral``: 'no_bias'
        (fresh models were not clearly above one half, nothing was removed), 'below_half' (they were
        clearly below it, nothing was removed), 'neutral',
        'not_neutral' (at most m rows were left, and fresh models still above one half),
        'too_few_left' (likewise, and a further step would leave under 200 rows, or under 20 of a
        label), 'nothing_to_remove' (likewise, but no row has a margin above 0) or
        'not_measurable' (under 200 rows, or under 20 of a label, to begin with).
    classes_ : (n_classes,)
    n_features_in_ : int

    Notes
    -----
    Everything is keyed by row id. Draws and priorities come from (seed, phase, member, id), and
    rows are put in an order of their own before any sum, so permuting the rows permutes the result
    and nothing else; thread numbers and restarts change nothing either. Without ``ids`` a row's
    position is its id.

    Ties at the cutoff are broken by a random priority per row (per group), new in every phase.
    A row that no member held out has no score, is not removed, and is counted. The last phase
    removes its fewer-than-k rows before it stops. No phase starts with m rows or fewer. Under
    ``neutral`` both labels weigh alike in classifiers, fresh models and their accuracy. A part
    with a single class predicts that class. X is centred by its column means, which moves only
    intercepts, and is not scaled.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §3, Algorithm 1. Departures: ``neutral``
    (docs/decisions/0027-neutral-cut.md), ``grouped`` and ``together``; the paper leaves ties,
    unseen rows and the classifier's settings open.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> X = rng.normal(size=(400, 4))
    >>> X[:100, 0] += 8 * (2 * y[:100] - 1)  # the first hundred give their label away
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
        phase_loop = self.phase_loop(table)
        self.phases_ = list(phase_loop.phases([]))
        self.classes_ = np.unique(np.asarray(y))
        self.removed_in_ = np.zeros(len(np.asarray(y)), dtype=np.int64)
        for phase in self.phases_:
            self.removed_in_[phase.removed] = phase.number
        self.support_ = self.removed_in_ == 0
        ended = self.phases_[-1].stop_reason if self.phases_ else phase_loop.stop.before(table.y)
        self.stop_reason_: StopReason | None = ended
        return self

    def rules(self, n_rows: int) -> Rules:
        """Return what draws the training parts of a run over *n_rows*."""
        return Rules(n=self.n, m=self.sizes(n_rows)[0], seed=self.seed, partition=self.partition)

    def sizes(self, n_rows: int) -> tuple[int, int]:
        """Return m and k for a set of *n_rows*, the shares of the rows where they are None."""
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
        """Run phase by phase, from the first one that is not done yet.

        Parameters
        ----------
        X : (n_rows, d), finite
            Used as float32, and never copied as a whole when large: a file of any size may be
            given as ``np.load(path, mmap_mode='r')``. Other types of numbers are converted block
            by block. Rows in ascending order of ``ids`` are read from end to end, others one
            by one.
        y : (n_rows,)
            One or two classes.
        groups : (n_rows,) of int or str, optional
            Twins share one; needed by ``partition='grouped'`` and ``removal='together'``.
        ids : (n_rows,) of int or str, distinct, optional
            Default: 0, 1, 2, …
        done : sequence, optional
            For each phase already run, in order: its `Phase`, or a `PhaseDone`.
        progress : callable (members done, n), optional
            Called as a phase's classifiers finish, and those of each look at fresh models.

        Returns
        -------
        iterator of Phase
            Ends after a phase with a ``stop_reason``; empty when there is nothing left to do.
            The same phases as in an unbroken run.

        Raises
        ------
        ValueError
            At the call, not at the first phase: when a parameter is out of range, X or y is not
            finite or not of one length, y has over two classes, a group is larger than m, or
            ids repeat or do not match ``done``.
        """
        return self.phase_loop(self.checked_table(X, y, groups, ids), progress).phases(done)

    def phase_loop(self, table: Table, progress: Progress | None = None) -> PhaseLoop:
        """Return the run over a table that `checked_table` has made."""
        engine = self.make_engine(table)
        stop = self._stop(table, engine, progress)
        return PhaseLoop(self.rules(table.n_rows), stop, table, engine, progress)

    def _stop(self, table: Table, engine: BatchedEngine, progress: Progress | None) -> Stop:
        (m, k), together = self.sizes(table.n_rows), self.removal == "together"
        if self.stop == "published":
            return PublishedStop(m, k, self.tau, together)
        models = FreshModels(table, engine, deals=DEALS, seed=self.seed)
        return NeutralStop(m, k, together, models, progress)

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
