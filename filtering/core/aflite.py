"""AFLite: remove what an ensemble of linear classifiers guesses without having seen it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags, Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from filtering.core.course import Course, Progress, Rules
from filtering.core.engines import ENGINES, Engine, Settings
from filtering.core.parameters import check_fit, check_parameters
from filtering.core.phases import Phase, StopReason
from filtering.core.table import Ids, Table, Units

Done = Sequence["Phase | Collection[Hashable]"]


class AFLite(BaseEstimator):
    """Filter a data set by Algorithm 1.

    In each phase n logistic regressions learn from random parts of size m and predict the rows
    they did not see. A row's score is its share of correct predictions. The k rows with the
    highest score at or above tau go, until fewer than k do or at most m rows are left.

    Parameters
    ----------
    n : int, at least 1
        Classifiers per phase.
    m : int, at least 1
        Rows in a training part; with ``partition='grouped'`` at least the rows of the largest
        group, so that no part is empty.
    k : int, at least 1
        Rows removed per phase.
    tau : float in [0, 1]
        Lowest score that is removed, taken as the decimal it prints as and compared in integers,
        so 3 of 4 reaches 0.75 exactly.
    C : float, above 0
        Inverse strength of the L2 penalty: mean log loss + ||w||^2 / (2 C m).
    tol : float, above 0
        A classifier is done when its steps have become so small that all that are still to come
        would change its decisions by no more than this: the mean over rows of |change| /
        (|decision| + |change|). That is relative to the decisions, so it means the same for
        features of any scale and for any penalty. At 1e-3 at least 9,998 of 10,000 predictions are
        the exact optimum's (measured with features that deviate by 1e-5 to 1e3, C from 1e-3 to
        1e4). Below 1e-5 float32 has nothing more to give.
    max_iter : int, at least 1
        Steps after which a classifier stops anyway; the phase counts such members.
    seed : int, at least 0
    partition : {'individual', 'grouped'}
        How training parts are drawn. ``individual``, as published: row by row, so a row's twin is
        often in the training part and pushes its prediction the wrong way. ``grouped``: twins stay
        on one side; a part then holds m rows, or the most that whole groups can fill.
    removal : {'individual', 'together'}
        ``together``: a group's score is the sum of its rows' correct predictions over the sum of
        their predictions, and a group at or above tau goes whole, provided that each of its rows
        was held out. The last group of a phase may carry the number over k by its size less one.
    engine : {'batched', 'plain'}
        ``batched`` trains all classifiers of a phase together, and hands those that stall to
        ``plain``: one after the other by Newton's method in float64, as its oracle, and hundreds of
        times slower. A phase counts these as fallbacks.
    device : {'auto', 'cpu', 'cuda'}
        Where the batched engine computes; ``auto`` takes CUDA where there is one. The same bytes
        come out of any number of threads and restarts, but not of another kind of device.

    Attributes
    ----------
    support_ : bool (n_rows,)
        Rows that stay.
    removed_in_ : int (n_rows,)
        The phase that removed a row, 0 where it stays.
    phases_ : list of Phase
    stop_reason_ : {'fewer_than_k', 'at_most_m'}
        'fewer_than_k' when both hold.
    classes_ : (n_classes,)
    n_features_in_ : int

    `score_history` gives the score of every row in every phase it lived.

    Notes
    -----
    Everything is keyed by row id. Draws and priorities come from (seed, phase, member, id), and
    rows are put in an order of their own before any sum, so permuting the rows permutes the result
    and nothing else; thread numbers and restarts change nothing either. Without ``ids`` a row's
    position is its id.

    Ties at the cutoff are broken by a random priority per row (per group), new in every phase.
    A row that no member held out has no score, is not removed, and is counted. The last phase
    removes its fewer-than-k rows before it stops. No phase starts with m rows or fewer. A part
    with a single class predicts that class. X is centred by its column means, which moves only
    intercepts, and is not scaled.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §3, Algorithm 1. Departures: ``grouped`` and
    ``together``; the paper leaves ties, unseen rows and the classifier's settings open.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> X = rng.normal(size=(400, 4))
    >>> X[:100, 0] += 8 * (2 * y[:100] - 1)  # the first hundred give their label away
    >>> found = AFLite(n=16, m=100, k=40).fit(X, y)
    >>> bool(found.support_[:100].mean() < 0.1 < 0.5 < found.support_[100:].mean())
    True
    """

    def __init__(
        self,
        *,
        n: int = 64,
        m: int = 10_000,
        k: int = 500,
        tau: float = 0.75,
        C: float = 1.0,  # noqa: N803
        tol: float = 1e-3,
        max_iter: int = 1000,
        seed: int = 0,
        partition: Literal["individual", "grouped"] = "individual",
        removal: Literal["individual", "together"] = "individual",
        engine: Literal["batched", "plain"] = "batched",
        device: Literal["auto", "cpu", "cuda"] = "auto",
    ) -> None:
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
        self.engine = engine
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
        self.phases_ = list(self.steps(X, y, groups=groups, ids=ids))
        self.classes_ = np.unique(np.asarray(y))
        self.removed_in_ = np.zeros(len(np.asarray(y)), dtype=np.int64)
        for phase in self.phases_:
            self.removed_in_[phase.removed] = phase.number
        self.support_ = self.removed_in_ == 0
        last_removed = self.phases_[-1].n_removed if self.phases_ else None
        self.stop_reason_: StopReason | None = self.rules.stop_reason(
            last_removed, int(self.support_.sum())
        )
        return self

    @property
    def rules(self) -> Rules:
        """What a run goes by from phase to phase."""
        return Rules(
            n=self.n,
            m=self.m,
            k=self.k,
            tau=self.tau,
            seed=self.seed,
            partition=self.partition,
            removal=self.removal,
        )

    def score_history(self) -> NDArray[np.float32]:
        """Return each row's score in each phase, float32 (n_rows, n_phases).

        nan where a row was gone already or was never held out.
        """
        check_is_fitted(self, "phases_")
        scores = np.full((len(self.support_), len(self.phases_)), np.nan, dtype=np.float32)
        for phase in self.phases_:
            scores[phase.rows, phase.number - 1] = phase.scores
        return scores

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
            For each phase already run, in order: its `Phase`, or the ids it removed.
        progress : callable (members done, n), optional
            Called as a phase's classifiers finish.

        Returns
        -------
        iterator of Phase
            Ends after a phase with a ``stop_reason``; empty when there is nothing left to do.
            The same phases as in an unbroken run.

        Raises
        ------
        ValueError
            At the call, not at the first phase: when a parameter is out of range, X or y is not
            finite or not of one length, y has over two classes, groups are needed and missing
            or larger than m, or ids repeat or do not match ``done``.
        """
        table = self.checked_table(X, y, groups, ids)
        removed = [p.removed_ids if isinstance(p, Phase) else p for p in done]
        course = Course(self.rules, table, self.make_engine(table), progress)
        return course.phases(table.removed_in(removed), n_done=len(done))

    def checked_table(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        groups: Ids | None,
        ids: Ids | None,
    ) -> Table:
        """Check parameters and input as `steps` does, and sort the rows."""
        check_parameters(self.get_params(), grouped=groups is not None)
        table = Table.of(X, y, groups=groups, ids=ids)
        if groups is not None and self.partition == "grouped":
            check_fit(self.m, Units.of(table.group_keys).sizes)
        return table

    def make_engine(self, table: Table) -> Engine:
        """Return the engine that trains the classifiers of a table's phases."""
        settings = Settings(C=self.C, tol=self.tol, max_iter=self.max_iter, m=self.m)
        return ENGINES[self.engine](table, settings, device=self.device)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
