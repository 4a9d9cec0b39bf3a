"""Controls of AFLite: reduce the same questions to the same size at random or by a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stats.keys import Ids, fill_up, priorities


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
    kept = np.zeros(len(ids), dtype=bool)
    kept[_filled(order, by_twin, size) if removal == "together" else order[:size]] = True
    return Reduction(~kept, _tied(scores, kept))


def _filled(order: NDArray[np.intp], unit: NDArray[np.uint64], size: int) -> NDArray[np.intp]:
    """Take whole twins in order while they fit; in *order* a twin's rows are adjacent."""
    starts = np.flatnonzero(np.r_[True, unit[order][1:] != unit[order][:-1]][: len(order)])
    sizes = np.diff(np.r_[starts, len(order)])
    return order[np.repeat(fill_up(sizes, room=size), sizes)]


def _tied(scores: NDArray[np.float64] | None, kept: NDArray[np.bool_]) -> int:
    if scores is None or kept.all():
        return 0
    return int((scores == scores[~kept].min()).sum())
