"""Sentences of like meaning: mean vectors of a question, and the exact nearest rows of a matrix."""

import numpy as np
from numpy.typing import NDArray

CHUNK = 16_384  # rows that are converted at once; the whole matrix may be larger than memory


def sentence_vectors(filled: NDArray[np.float32]) -> NDArray[np.float16]:
    """Return one vector of length 1 for each question, the mean of its two filled sentences.

    The mean does not depend on which option is right.

    Parameters
    ----------
    filled : float32 (n, 2, d)
        Vectors of the sentence with the first and with the second option.

    Returns
    -------
    float16 (n, d)
        A row of zeros where both vectors cancel out.

    >>> sentence_vectors(np.array([[[3, 0], [0, 3]]], dtype=np.float32)).round(2).tolist()
    [[0.70703125, 0.70703125]]
    """
    directions = _of_length_1(filled)  # (n, 2, d)
    return _of_length_1(directions.mean(axis=1)).astype(np.float16)  # (n, d)


def _of_length_1(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: NDArray[np.float32] = vectors / np.where(lengths == 0, np.float32(1), lengths)
    return unit


def nearest_rows(
    matrix: NDArray[np.float16], *, row: int, most: int
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return the rows nearest to a row of *matrix*, itself included, and their cosines.

    Every row is compared. Of equal cosines, the row itself is first, then the lower row.

    Parameters
    ----------
    matrix : float16 (n, d)
        Rows of length 1.
    row : int
        From 0 to n - 1.
    most : int
        At least 1.

    Returns
    -------
    intp (k,), float32 (k,)
        k is the smaller of *most* and n; the highest cosine first.

    Raises
    ------
    ValueError
        For a row that the matrix does not have, or *most* below 1.
    """
    n = len(matrix)
    if not 0 <= row < n:
        raise ValueError(f"row must be from 0 to {n - 1}, got {row}")
    if most < 1:
        raise ValueError(f"most must be at least 1, got {most}")
    given = matrix[row].astype(np.float32)  # (d,)
    cosines = np.empty(n, dtype=np.float32)  # (n,)
    for start in range(0, n, CHUNK):
        cosines[start : start + CHUNK] = matrix[start : start + CHUNK].astype(np.float32) @ given
    is_other = np.arange(n) != row
    order = np.lexsort((np.arange(n), is_other, -cosines))[:most]  # (k,)
    return order, cosines[order]
