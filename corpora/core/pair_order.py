"""The order in which one person gets questions that are pairs, the two of a pair far apart."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stats.groups import Names, group_numbers

Ints = NDArray[np.int64]

APART = 20
"""At least this many places between the two problems of a pair."""


def unbalanced_pairs(pairs: Names, labels: Sequence[bool]) -> list[int]:
    """Return the pairs that are not one true and one false problem.

    Parameters
    ----------
    pairs : (n,)
        The pair of each problem.
    labels : bool (n,)

    Returns
    -------
    list of int
        Positions of the first problem of each such pair.

    Examples
    --------
    >>> unbalanced_pairs(["a", "a", "b", "b", "c"], [True, False, True, True, False])
    [2, 4]
    """
    numbers = group_numbers(pairs)
    flags = np.asarray(labels, dtype=bool)
    trues, sizes = np.bincount(numbers, weights=flags), np.bincount(numbers)
    _, first = np.unique(numbers, return_index=True)
    return [int(first[k]) for k in np.flatnonzero((trues != 1) | (sizes != 2))]


def annotators_order(pairs: Names, *, seed: int, annotator: int, apart: int = APART) -> list[int]:
    """Return the order in which one annotator gets the problems.

    Parameters
    ----------
    pairs : (n,)
        The pair of each problem; at most two problems have the same.
    seed : int, at least 0
    annotator : int, at least 0
        Each number has its own order.
    apart : int, at least 1
        Places between the two of a pair. Where there are fewer pairs than that, the two are as
        far apart as every pair can be: as many places as there are pairs.

    Returns
    -------
    list of int
        A permutation of the positions.

    Raises
    ------
    ValueError
        When a pair has more than two problems.

    Notes
    -----
    A random order is drawn; then each problem that is too near its other one changes places with a
    random one, until all are far enough. Among few pairs that may not end; then one of each pair,
    drawn by coin, comes in the first half, and the others follow in the same order of pairs.

    Examples
    --------
    >>> order = annotators_order([k // 2 for k in range(100)], seed=1, annotator=2)
    >>> place = {problem: k for k, problem in enumerate(order)}
    >>> min(abs(place[k] - place[k + 1]) for k in range(0, 100, 2)) >= 20
    True
    """
    numbers = group_numbers(pairs)
    sizes = np.bincount(numbers)
    if (sizes > 2).any():
        raise ValueError("pairs must have at most two problems each")
    rng = np.random.default_rng([seed, annotator])
    partner = _partners(numbers)
    needed = min(apart, int((sizes == 2).sum()))
    order = rng.permutation(len(numbers))
    if _spread(order, partner, needed, rng):
        return [int(row) for row in order]
    return _in_halves(numbers, rng)


def _partners(numbers: Ints) -> Ints:
    """Return the position of each problem's other one; its own if it has none."""
    partner = np.arange(len(numbers))
    rows = np.argsort(numbers, kind="stable")
    same = np.flatnonzero(numbers[rows][1:] == numbers[rows][:-1])
    partner[rows[same]], partner[rows[same + 1]] = rows[same + 1], rows[same]
    return partner


def _spread(order: Ints, partner: Ints, needed: int, rng: np.random.Generator) -> bool:
    """Exchange places in ``order`` until partners are far enough; return whether they are."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))

    def near(row: int) -> bool:
        other = partner[row]
        return bool(other != row and abs(place[row] - place[other]) < needed)

    for _ in range(50):
        wrong = [row for row in range(len(order)) if near(row) and place[row] > place[partner[row]]]
        if not wrong:
            return True
        for row in wrong:
            start = int(place[row])
            for target in map(int, rng.permutation(len(order))[:40]):
                _exchange(order, place, start, target)
                if not near(int(order[start])) and not near(int(order[target])):
                    break
                _exchange(order, place, start, target)
    return False


def _exchange(order: Ints, place: Ints, option: int, other: int) -> None:
    order[option], order[other] = order[other], order[option]
    place[order[option]], place[order[other]] = option, other


def _in_halves(numbers: Ints, rng: np.random.Generator) -> list[int]:
    rows: dict[int, list[int]] = {}
    for row in rng.permutation(len(numbers)):
        rows.setdefault(int(numbers[row]), []).append(int(row))
    twos = [of_pair for of_pair in rows.values() if len(of_pair) == 2]
    singles = [of_pair[0] for of_pair in rows.values() if len(of_pair) == 1]
    return [two[0] for two in twos] + singles + [two[1] for two in twos]
