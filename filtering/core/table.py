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

    keys: UInt64s  # (n_units,)
    of_row: NDArray[np.intp]  # (n_left,)

    @classmethod
    def of(cls, group_keys: UInt64s) -> Units:
        keys, of_row = np.unique(group_keys, return_inverse=True)
        return cls(keys, of_row)


@dataclass(frozen=True, slots=True)
class Table:
    """The input with its rows sorted by key, so that no sum depends on the order given."""

    X: NDArray[np.float32]  # (n_rows, d), centred
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
        rows -= rows.mean(axis=0, dtype=np.float64).astype(np.float32)  # (n_rows, d)
        group_keys = identity_keys(groups, name="groups")
        return cls(rows, positive[order], keys[order], group_keys[order], order, names)

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
