"""The rows AFLite works on: checked, centred, and in an order of their own."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_X_y

from filtering.core.parts import UInt64s, identity_keys

Ids = Sequence[Hashable] | NDArray[Any]


@dataclass(frozen=True, slots=True)
class Units:
    """The groups of the rows alive: one key each, and each row's index into them."""

    keys: UInt64s  # (n_units,), ascending
    of_row: NDArray[np.intp]  # (n_left,)

    @classmethod
    def of(cls, group_keys: UInt64s) -> Units:
        """Find the groups among rows.

        Parameters
        ----------
        group_keys : uint64 (n_left,)
            Of each row; equal where rows share a group. A lone row is a group of one.

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
    """The input with its rows sorted by key, so that no sum depends on the order given."""

    X: NDArray[np.float32]  # (n_rows, d), centred
    mean: NDArray[np.float32]  # (d,), what was subtracted
    y: NDArray[np.bool_]
    keys: UInt64s
    group_keys: UInt64s
    position: NDArray[np.int64]  # of each row in the caller's input
    ids: list[Hashable]  # in the caller's order

    @classmethod
    def of(
        cls,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        *,
        groups: Ids | None,
        ids: Ids | None,
    ) -> Table:
        """Check the input, key its rows and groups, sort by key, centre the features.

        Parameters
        ----------
        X : (n_rows, d), finite, at least two rows
            Converted to float32; its column means, taken in float64, are subtracted.
        y : (n_rows,)
            One or two classes; the last in sorted order is True.
        groups, ids : (n_rows,) of int or str, or None
            None: every row is a group of its own, and its position is its id.

        Returns
        -------
        Table
            The same rows for any order of the input, but for ``position`` and ``ids``.

        Raises
        ------
        ValueError
            When X is not finite (as float32), lengths differ, y has over two classes, ids repeat,
            or two different ids or groups share a key.
        """
        # What float32 cannot hold becomes inf, and the check names X for it.
        with np.errstate(over="ignore"):
            features, labels = check_X_y(X, y, dtype=np.float32, ensure_min_samples=2)
        positive = _positive(labels)
        names = _as_list(ids, len(positive), "ids")
        if len(set(names)) != len(names):
            raise ValueError(f"ids must be distinct, got {len(names) - len(set(names))} repeats")
        keys = identity_keys(names, name="ids")
        groups = _as_list(groups, len(positive), "groups")
        order = np.argsort(keys)
        rows = features[order]
        mean = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
        rows -= mean  # (n_rows, d)
        group_keys = identity_keys(groups, name="groups")
        return cls(rows, mean, positive[order], keys[order], group_keys[order], order, names)

    def without(self, removed: list[set[Hashable]]) -> NDArray[np.intp]:
        """Return the rows, in key order, that no phase removed; ValueError for a strange id."""
        position = {name: i for i, name in enumerate(self.ids)}
        gone = np.zeros(len(self.ids), dtype=bool)
        for number, names in enumerate(removed, start=1):
            for name in names:
                if name not in position or gone[position[name]]:
                    raise ValueError(
                        f"done must remove ids of this data once, got {name!r} in phase {number}"
                    )
                gone[position[name]] = True
        return np.flatnonzero(~gone[self.position])


def _positive(y: NDArray[Any]) -> NDArray[np.bool_]:
    check_classification_targets(y)
    classes = np.unique(y)
    if len(classes) > 2:
        raise ValueError(f"y must hold one or two classes, got {len(classes)}")
    return np.asarray(y == classes[-1])


def _as_list(values: Ids | None, n_rows: int, name: str) -> list[Hashable]:
    if values is None:
        return list(range(n_rows))
    values = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if len(values) != n_rows:
        raise ValueError(f"{name} must have one entry per row ({n_rows}), got {len(values)}")
    return values
