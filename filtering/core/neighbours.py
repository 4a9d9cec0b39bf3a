"""Sentences of like meaning: mean vectors of a question, and the exact nearest rows of a matrix."""

import numpy as np
from numpy.typing import NDArray

DECIMALS = 6


def sentence_vectors(filled: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return one vector of length 1 for each question, the mean of its two filled sentences.

    The mean does not depend on which option is right.

    Parameters
    ----------
    filled : float32 (n, 2, d)
        Vectors of the sentence with the first and with the second option.

    Returns
    -------
    float32 (n, d)
        A row of zeros where both vectors cancel out.

    >>> sentence_vectors(np.array([[[3, 0], [0, 3]]], dtype=np.float32)).round(2).tolist()
    [[0.7099999785423279, 0.7099999785423279]]
    """
    directions = _of_length_1(filled)  # (n, 2, d)
    return _of_length_1(directions.mean(axis=1))  # (n, d)


def _of_length_1(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit = vectors / np.where(lengths == 0, np.float32(1), lengths)
    return unit.astype(np.float32, copy=False)


def nearest_rows(
    matrix: NDArray[np.float32],
    *,
    most: int,
    row: int | None = None,
    vector: NDArray[np.float32] | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return the rows of *matrix* nearest to one of them or to a vector, and their cosines.

    Every row is compared, the given one included. Cosines are rounded to six decimals, as the last
    bits depend on where a row stands; of equal ones, the row itself is first, then the lower row.

    Parameters
    ----------
    matrix : float32 (n, d)
        Rows of length 1; a memory map, too.
    row : int, optional
        From 0 to n - 1. Either this or *vector*.
    vector : float32 (d,), optional
        Of any length but 0.
    most : int
        At least 1.

    Returns
    -------
    intp (k,), float32 (k,)
        k is the smaller of *most* and n; the highest cosine first.

    Raises
    ------
    ValueError
        For neither or both of *row* and *vector*, a row that the matrix does not have, a vector of
        another width, or *most* below 1.

    Examples
    --------
    >>> matrix = np.array([[1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)
    >>> rows, cosines = nearest_rows(matrix, vector=np.array([0, 2], dtype=np.float32), most=2)
    >>> rows.tolist(), cosines.round(1).tolist()
    ([1, 2], [1.0, 0.800000011920929])
    """
    n = len(matrix)
    if (row is None) == (vector is None):
        raise ValueError("either row or vector must be given")
    if row is not None and not 0 <= row < n:
        raise ValueError(f"row must be from 0 to {n - 1}, got {row}")
    if vector is not None and vector.shape != matrix.shape[1:]:
        raise ValueError(f"vector must have shape {matrix.shape[1:]}, got {vector.shape}")
    if most < 1:
        raise ValueError(f"most must be at least 1, got {most}")
    wanted = np.asarray(matrix[row]) if vector is None else _of_length_1(vector)  # (d,)
    cosines = np.round(matrix @ wanted, DECIMALS)  # (n,)
    least = np.partition(cosines, n - min(most, n))[n - min(most, n)]
    near = np.flatnonzero(cosines >= least)  # (at least k,)
    order = near[np.lexsort((near, near != row, -cosines[near]))][:most]  # (k,)
    return order, cosines[order]
