"""Tables of features: read, projected, written."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.decomposition import PCA
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_X_y
from threadpoolctl import threadpool_limits

from stats.keys import Ids, UInt64s, identity_keys

BLOCK = 4096


def read_rows(
    source: NDArray[Any], where: NDArray[np.intp], buffer: NDArray[np.float32]
) -> NDArray[Any]:
    """Return ``source[where]``, as a view where the rows are consecutive.

    Parameters
    ----------
    source : (n_rows, d)
    where : int (n,)
    buffer : float32 (n, d)
        Used for the result where that avoids a new array.
    """
    if len(where) and (where[-1] - where[0] + 1 == len(where)) and (np.diff(where) == 1).all():
        return source[where[0] : where[-1] + 1]
    if source.dtype == np.float32:
        return np.take(source, where, axis=0, out=buffer, mode="clip")
    return source[where]


def column_means(source: NDArray[Any], order: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return each column's mean over the rows in ``order``, and check that all values are finite.

    Parameters
    ----------
    source : (n_rows, d)
    order : int (n_rows,)
        Sums are float64, by blocks in this order, so the result does not depend on threads.

    Returns
    -------
    float32 (d,)

    Raises
    ------
    ValueError
        When a value is not finite as float32.
    """

    def total(start: int) -> NDArray[np.float64]:
        where = order[start : start + BLOCK]
        buffer = np.empty((len(where), source.shape[1]), dtype=np.float32)
        block = read_rows(source, where, buffer)
        with np.errstate(over="ignore", invalid="ignore"):
            # Values beyond float32 become inf, which the check reports for X.
            single = block.astype(np.float32, copy=False)
            sums = np.add.reduce(single, axis=0, dtype=np.float64)
        if not np.isfinite(sums).all():
            assert_all_finite(single, input_name="X")
        return np.asarray(sums)

    with ThreadPoolExecutor(joblib.cpu_count()) as pool:
        sums = list(pool.map(total, range(0, len(order), BLOCK)))
    return np.asarray(np.sum(sums, axis=0) / len(order), dtype=np.float32)


Floats = NDArray[np.float64]
Features = NDArray[np.floating]


def fit_axes(
    X: Features,  # noqa: N803
    *,
    rows: NDArray[np.intp] | None = None,
    n_components: int = 2,
) -> PCA:
    """Find the principal components of a set.

    Parameters
    ----------
    X : float (n_rows, d), at least one row, finite
        Not scaled; centred by its column means. A copy in float64 is made.
    rows : int (n,), optional
        Only these rows are used.
    n_components : int, at least 1
        Fewer are found where d is smaller.

    Returns
    -------
    PCA
        From the eigenvectors of the covariance, in float64, in one thread: with more the last bits
        would depend on the number of cores. The entry of each component with the largest absolute
        value is positive. Explained variance ratios are 0 where there is no variance.

    Raises
    ------
    ValueError
        When X has no row or is not finite.

    Source: WinoGrande §3, Figure 1 (PCA to two dimensions and to one).
    """
    x = np.asarray(X if rows is None else X[rows], dtype=np.float64)
    if len(x) == 0:
        raise ValueError("X must have at least one row, got none")
    if len(x) <= n_components:  # scikit-learn needs more rows; weights stay equal
        x = np.tile(x, (n_components + 1, 1))
    axes = PCA(min(n_components, x.shape[1]), svd_solver="covariance_eigh")
    with threadpool_limits(1), np.errstate(invalid="ignore"):
        axes.fit(x)
    axes.explained_variance_ratio_ = np.nan_to_num(axes.explained_variance_ratio_)
    return axes


def project(axes: PCA, X: Features) -> Floats:  # noqa: N803
    """Return the rows' positions on the axes (n_rows, n_components), also in one thread."""
    with threadpool_limits(1):
        return np.asarray(axes.transform(X), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Units:
    """The groups of the rows left: one key each, and each row's index into them."""

    keys: UInt64s  # (n_units,), ascending
    of_row: NDArray[np.intp]  # (n_left,)

    @classmethod
    def of(cls, group_keys: UInt64s) -> Units:
        """Find the groups among rows.

        Parameters
        ----------
        group_keys : uint64 (n_left,)
            Of each row; equal where rows share a group. An unpaired row is a group of one.

        Returns
        -------
        Units
            ``keys[of_row]`` is ``group_keys``.
        """
        keys, of_row = np.unique(group_keys, return_inverse=True)
        return cls(keys, of_row)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Rows in each group (n_units,)."""
        return np.bincount(self.of_row, minlength=len(self.keys)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Table:
    """The input sorted by id, so that no sum depends on the order of the input.

    The features stay where the caller has them, in memory or in a mapped file: rows are read,
    converted and centred as they are needed.
    """

    source: NDArray[Any]  # (n_rows, d), the caller's
    mean: NDArray[np.float32]  # (d,)
    y: NDArray[np.bool_]
    keys: UInt64s
    group_keys: UInt64s
    position: NDArray[np.intp]  # of each row in the caller's input
    ids: Sequence[Hashable]  # in the caller's order

    @classmethod
    def of(
        cls,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        *,
        groups: Ids | None,
        ids: Ids | None,
    ) -> Table:
        """Check the input, key its rows and groups, sort the rows, compute the features' means.

        Parameters
        ----------
        X : (n_rows, d), finite, at least two rows
            Of any real type; read as float32, not copied.
        y : (n_rows,)
            One or two classes; the last in sorted order is True.
        groups, ids : (n_rows,) of int or str, or None
            None: every row is a group of its own, and its position is its id.

        Returns
        -------
        Table
            The same for any order of the input, except ``position`` and ``ids``. Rows are sorted by
            id, so that input in that order is read sequentially.

        Raises
        ------
        ValueError
            When X is not finite (as float32), lengths differ, y has more than two classes, ids
            repeat, or two different ids or groups share a key.
        """
        source, labels = check_X_y(X, y, ensure_all_finite=False, ensure_min_samples=2)
        positive = _positive(labels)
        names = _as_list(ids, len(positive), "ids")
        if len(set(names)) != len(names):
            raise ValueError(f"ids must be distinct, got {len(names) - len(set(names))} repeats")
        keys = identity_keys(names, name="ids")
        groups = _as_list(groups, len(positive), "groups")
        group_keys = identity_keys(groups, name="groups")
        order = _order(names, keys)
        mean = column_means(source, order)
        return cls(source, mean, positive[order], keys[order], group_keys[order], order, names)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def d(self) -> int:
        """Number of features."""
        return int(self.source.shape[1])

    def rows(
        self, rows: NDArray[np.intp], out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Read rows: float32 (len(rows), d), centred; into the head of ``out`` if given."""
        where = self.position[rows]
        out = np.empty((len(where), self.d), np.float32) if out is None else out[: len(where)]
        taken = read_rows(self.source, where, out)
        # The input has been checked to be finite as float32.
        np.subtract(taken, self.mean, out=out, dtype=np.float32, casting="unsafe")
        return out

    def removed_in(self, done: Sequence[Collection[Hashable]]) -> NDArray[np.int64]:
        """Return the phase that removed each row, 0 for none; ValueError for an unknown id."""
        if not any(done):
            return np.zeros(len(self.ids), dtype=np.int64)
        position = {name: i for i, name in enumerate(self.ids)}
        removed_in = np.zeros(len(self.ids), dtype=np.int64)
        for number, names in enumerate(done, start=1):
            for name in names:
                if name not in position or removed_in[position[name]]:
                    raise ValueError(
                        f"done must remove ids of this data once, got {name!r} in phase {number}"
                    )
                removed_in[position[name]] = number
        return removed_in[self.position]


def _positive(y: NDArray[Any]) -> NDArray[np.bool_]:
    check_classification_targets(y)
    classes = np.unique(y)
    if len(classes) > 2:
        raise ValueError(f"y must hold one or two classes, got {len(classes)}")
    return np.asarray(y == classes[-1])


def _order(names: Sequence[Hashable], keys: UInt64s) -> NDArray[np.intp]:
    """Sort rows by id, or by key if the ids have no common type."""
    array = np.asarray(names)
    return np.argsort(array if array.dtype.kind in "iuU" else keys, kind="stable")


def _as_list(values: Ids | None, n_rows: int, name: str) -> Sequence[Hashable]:
    if values is None:
        return range(n_rows)
    values = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if len(values) != n_rows:
        raise ValueError(f"{name} must have one entry per row ({n_rows}), got {len(values)}")
    return values
