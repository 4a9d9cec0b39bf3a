"""The result of a filter run for every question, and a report as one canonical JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEPT = 0


@dataclass(frozen=True, slots=True, eq=False)
class FilterResults:
    """The phase that removed each question: about 20 bytes a question.

    Parameters
    ----------
    ids : bytes (n,), ascending
    phases : int16 (n,)
        0 where the question is kept.
    """

    ids: NDArray[np.bytes_]
    phases: NDArray[np.int16]

    @classmethod
    def of(cls, ids: Sequence[str], removed: Iterable[NDArray[np.integer]]) -> FilterResults:
        """Collect the results of a run.

        Parameters
        ----------
        ids : (n,) of str
            Of the snapshot's questions, in its order.
        removed : iterable of int arrays
            For each phase in order, the rows (positions in ``ids``) that it removed.
        """
        phases = np.full(len(ids), KEPT, dtype=np.int16)
        for number, rows in enumerate(removed, start=1):
            phases[rows] = number
        names = np.array([id.encode() for id in ids], dtype=np.bytes_)
        order = np.argsort(names)
        return cls(names[order], phases[order])

    def phase_of(self, id: str) -> int | None:
        """Return the phase that removed a question, 0 if it is kept, None if it was not filtered.

        >>> book = FilterResults.of(["b", "a", "c"], [np.array([0]), np.array([2])])
        >>> [book.phase_of(id) for id in "abcd"]
        [0, 1, 2, None]
        """
        name = id.encode()
        place = int(np.searchsorted(self.ids, name)) if len(self.ids) else 0
        if place == len(self.ids) or self.ids[place] != name:
            return None
        return int(self.phases[place])


DIGITS = 6
# Version of the report's figures; increased when the meaning of a figure changes under its name.
FORMAT = 5


def plain(value: Any, *, digits: int = DIGITS) -> Any:
    """Convert a tree of dataclasses, arrays and numbers to JSON types.

    Parameters
    ----------
    value : dataclass, mapping, sequence, array, number, str, bool or None
    digits : int
        Significant digits of floats. Fewer than full precision, so that the last bit of a sum,
        which may depend on the number of threads, does not show.

    Returns
    -------
    dict, list, str, int, float, bool or None
        NaN and infinity become None. Keys become str.

    >>> plain({"a": np.array([1 / 3, np.nan]), 2: True})
    {'a': [0.333333, None], '2': True}
    """
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item, digits=digits) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item, digits=digits) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{digits}g}") if isfinite(value) else None
    return value


def canonical(document: Any) -> bytes:
    """Return a plain document as one line of JSON: sorted keys, no spaces, a final newline."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return f"{text}\n".encode()
