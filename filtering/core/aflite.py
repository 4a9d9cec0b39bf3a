"""AFLite: remove what an ensemble of linear classifiers guesses without having seen it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags, Tags
from sklearn.utils.validation import validate_data

from filtering.core.engines import Engine, stock_ensemble
from filtering.core.parts import PhaseKeys, UInt64s, training_masks
from filtering.core.phases import Phase, StopReason
from filtering.core.removal import Removal, Votes, choose
from filtering.core.table import Ids, Table, Units

Progress = Callable[[int, int], None]
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
        A classifier is done when no entry of its gradient exceeds this.
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

    # The engine behind every phase; a faster one with the same contract can replace it.
    _engine: Engine = staticmethod(stock_ensemble)

    def __init__(
        self,
        *,
        n: int = 64,
        m: int = 10_000,
        k: int = 500,
        tau: float = 0.75,
        C: float = 1.0,  # noqa: N803
        tol: float = 1e-4,
        max_iter: int = 1000,
        seed: int = 0,
        partition: Literal["individual", "grouped"] = "individual",
        removal: Literal["individual", "together"] = "individual",
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
        last: StopReason | None = self.phases_[-1].stop_reason if self.phases_ else "at_most_m"
        self.stop_reason_ = last
        return self

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
            Used as float32.
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
        return self._continue(table, _removed_ids(done), progress)

    def checked_table(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        groups: Ids | None,
        ids: Ids | None,
    ) -> Table:
        """Check parameters and input as `steps` does, and sort the rows."""
        self._check_parameters()
        table = Table.of(X, y, groups=groups, ids=ids)
        if groups is None and (self.partition == "grouped" or self.removal == "together"):
            raise ValueError(
                "groups must be given when partition is 'grouped' or removal is 'together', "
                "got None"
            )
        self._check_parts(table)
        return table

    def _continue(
        self, table: Table, done: list[set[Hashable]], progress: Progress | None
    ) -> Iterator[Phase]:
        alive = table.without(done)
        ended = bool(done) and len(done[-1]) < self.k
        number = len(done)
        while not ended and len(alive) > self.m:
            number += 1
            phase, stays = self._phase(table, alive, number, progress)
            alive = alive[stays]
            ended = phase.n_removed < self.k
            yield phase

    def _phase(
        self, table: Table, alive: NDArray[np.intp], number: int, progress: Progress | None
    ) -> tuple[Phase, NDArray[np.bool_]]:
        keys = PhaseKeys.of(seed=self.seed, phase=number, n=self.n)
        units = Units.of(table.group_keys[alive])
        votes, unconverged = self._votes(table, alive, keys, units, progress)
        removal = self._removal(votes, table.keys[alive], keys, units)
        n_removed = int(removal.removed.sum())
        rows = table.position[alive]
        order = np.argsort(rows)
        removed = np.sort(rows[removal.removed])
        phase = Phase(
            number=number,
            rows=rows[order],
            correct=votes.correct[order],
            held_out=votes.held_out[order],
            removed=removed,
            removed_ids=tuple(table.ids[i] for i in removed),
            eligible=removal.eligible,
            tied_at_cutoff=removal.tied_at_cutoff,
            unconverged=unconverged,
            stop_reason=self._stop_reason(n_removed, len(alive) - n_removed),
        )
        return phase, ~removal.removed

    def _votes(
        self,
        table: Table,
        alive: NDArray[np.intp],
        keys: PhaseKeys,
        units: Units,
        progress: Progress | None,
    ) -> tuple[Votes, int]:
        masks = self.parts(table.keys[alive], keys, units)
        y = table.y[alive]
        predictions, unconverged = self._engine(
            table.X[alive],
            y,
            masks,  # (n_left, n)
            C=self.C,
            tol=self.tol,
            max_iter=self.max_iter,
            progress=None if progress is None else lambda i: progress(i, self.n),
        )
        correct = (predictions == y[:, None]) & ~masks  # (n_left, n)
        return Votes(correct.sum(axis=1), (~masks).sum(axis=1)), unconverged

    def parts(self, row_keys: UInt64s, keys: PhaseKeys, units: Units) -> NDArray[np.bool_]:
        """Draw every member's training part of a phase, (n_left, n)."""
        if self.partition == "grouped":
            return training_masks(units.keys, m=self.m, members=keys.members, units=units.of_row)
        return training_masks(row_keys, m=self.m, members=keys.members)

    def _removal(self, votes: Votes, row_keys: UInt64s, keys: PhaseKeys, units: Units) -> Removal:
        if self.removal == "individual":
            ones = np.ones(len(row_keys), dtype=np.int64)
            return choose(votes, k=self.k, tau=self.tau, keys=row_keys, tie=keys.tie, sizes=ones)
        pooled = votes.pooled(units.of_row, len(units.keys))
        groups = choose(
            pooled, k=self.k, tau=self.tau, keys=units.keys, tie=keys.tie, sizes=units.sizes
        )
        return Removal(groups.removed[units.of_row], groups.eligible, groups.tied_at_cutoff)

    def _stop_reason(self, n_removed: int, n_after: int) -> StopReason | None:
        if n_removed < self.k:
            return "fewer_than_k"
        return "at_most_m" if n_after <= self.m else None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags

    def _check_parts(self, table: Table) -> None:
        if self.partition == "individual":
            return
        largest = int(Units.of(table.group_keys).sizes.max())
        if self.m < largest:
            raise ValueError(
                f"m must be at least {largest}, the rows of the largest group, when partition is "
                f"'grouped', got {self.m}"
            )

    def _check_parameters(self) -> None:
        for name in ("n", "m", "k", "max_iter"):
            _require(name, getattr(self, name), Integral, "at least 1", lambda v: v >= 1)
        _require("seed", self.seed, Integral, "at least 0", lambda v: v >= 0)
        _require("tau", self.tau, Real, "between 0 and 1", lambda v: 0 <= v <= 1)
        for name in ("C", "tol"):
            _require(name, getattr(self, name), Real, "above 0", lambda v: 0 < v < np.inf)
        choices = {"partition": ("individual", "grouped"), "removal": ("individual", "together")}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {allowed}, got {getattr(self, name)!r}")


def _removed_ids(done: Done) -> list[set[Hashable]]:
    return [set(p.removed_ids if isinstance(p, Phase) else p) for p in done]


def _require(name: str, value: object, kind: type, rule: str, holds: Callable[[Any], bool]) -> None:
    if not isinstance(value, kind) or isinstance(value, bool) or not holds(value):
        raise ValueError(f"{name} must be {rule}, got {value!r}")
