"""The result of a filter run for every question, small enough to keep in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
