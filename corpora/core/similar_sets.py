"""All pairs of similar sets, exactly, without a comparison of each set with each other one."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Ints = NDArray[np.int64]
Tokens = NDArray[np.int32]
Sets = Mapping[int, tuple[Ints, Tokens]]
"""By size: the numbers of the sets (n,) and their tokens (n, size), each row in ascending order."""

SHARED = 8
"""Tokens that the prefixes of two candidates share: more make fewer candidates of longer prefixes.

Of the pairs of WinoGrande's ``train_l``, 6 % are candidates with 1, 0.3 % with 4, 0.03 % with 8
and 0.02 % with 24; as many as that are similar.
"""
CELLS = 500_000  # of a table of counts
ROWS = 10_000  # candidates whose sets are compared at once


def sets_of(numbers: Ints, sizes: Ints, tokens: Tokens) -> Sets:
    """Arrange sets by size.

    Parameters
    ----------
    numbers : int64 (n,)
        What the caller calls each set.
    sizes : int64 (n,)
        Empty sets are similar to nothing and are left out.
    tokens : int32 (sum of sizes,)
        The tokens of each set, all different, one set after the other. Small ones should be rare.
    """
    starts, found = np.cumsum(sizes) - sizes, {}
    for size in np.unique(sizes[sizes > 0]).tolist():
        chosen = np.flatnonzero(sizes == size)
        rows = tokens[starts[chosen][:, None] + np.arange(size)]  # (n_chosen, size)
        found[size] = (numbers[chosen], np.sort(rows, axis=1))
    return found


def similar_pairs(left: Sets, right: Sets, *, threshold: float) -> Iterator[tuple[Ints, Ints]]:
    """Yield all pairs whose similarity is at least *threshold*, by their numbers.

    Similarity is the number of common tokens divided by that of all tokens of both sets, in single
    precision, as PostgreSQL's ``similarity`` computes it.

    Parameters
    ----------
    left, right : Sets
        As `sets_of` returns them, with tokens in the same order of frequency.
    threshold : float in (0, 1]

    Yields
    ------
    tuple of int64 (k,)
        Numbers of *left* and of *right*; each pair once. Memory holds a part of the pairs.

    Notes
    -----
    Two sets that share c tokens share s of them among the first ``size - c + s`` of each, in any
    order of all tokens: the s-th common one is followed by c - s others. With rare tokens first,
    few sets do. These are counted for all pairs of two sizes by a product of sparse matrices, that
    is over an inverted index, and only candidates are compared as a whole.

    Source: prefix filter, Chaudhuri, Ganti and Kaushik (ICDE 2006); with s > 1, Wang, Li and Feng
    (SIGMOD 2012).

    Examples
    --------
    >>> one = sets_of(np.array([7]), np.array([3]), np.array([1, 2, 3], dtype=np.int32))
    >>> two = sets_of(np.array([8]), np.array([2]), np.array([2, 3], dtype=np.int32))
    >>> [(a.tolist(), b.tolist()) for a, b in similar_pairs(one, two, threshold=0.6)]
    [([7], [8])]
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must be above 0 and at most 1, got {threshold}")
    for size, (numbers, rows) in left.items():
        for other_size, (other_numbers, other_rows) in right.items():
            common = least_common(size, other_size, threshold)
            if common <= min(size, other_size):
                for i, j in _similar(rows, other_rows, common):
                    yield numbers[i], other_numbers[j]


@lru_cache(maxsize=100_000)
def least_common(size: int, other: int, threshold: float) -> int:
    """Return how many common tokens make sets of these sizes similar; more than they have if none.

    Examples
    --------
    >>> least_common(10, 10, 0.6), least_common(10, 5, 0.6)
    (8, 6)
    """
    counts = np.arange(min(size, other) + 1, dtype=np.float32)
    similarities = counts / (np.float32(size + other) - counts)
    return int(np.searchsorted(similarities.astype(np.float64), threshold))


def _similar(rows: Tokens, others: Tokens, common: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield the places of sets (n, size) and (m, other size) with that many common tokens."""
    for i, j in _candidates(rows, others, common):
        for first in range(0, len(i), ROWS):
            some, same = i[first : first + ROWS], j[first : first + ROWS]
            both = np.sort(np.concatenate([rows[some], others[same]], axis=1), axis=1)
            enough = np.count_nonzero(both[:, 1:] == both[:, :-1], axis=1) >= common
            if enough.any():
                yield some[enough], same[enough]


def _candidates(rows: Tokens, others: Tokens, common: int) -> Iterator[tuple[Ints, Ints]]:
    shared = min(SHARED, common)
    width = 1 + int(max(rows.max(), others.max()))
    prefixes = _matrix(rows[:, : rows.shape[1] - common + shared], width)
    index = _matrix(others[:, : others.shape[1] - common + shared], width).T.tocsr()
    step = max(1, CELLS // len(others))
    for first in range(0, len(rows), step):
        counts = (prefixes[first : first + step] @ index).tocoo()
        likely = counts.data >= shared
        i, j = (places[likely].astype(np.int64) for places in counts.coords)
        yield i + first, j


def _matrix(rows: Tokens, width: int) -> csr_array:
    """Return a matrix (n, width) with a 1 for each token."""
    n, length = rows.shape
    ones, ends = np.ones(rows.size, dtype=np.int32), np.arange(0, rows.size + 1, length)
    return csr_array((ones, rows.ravel(), ends), shape=(n, width))
