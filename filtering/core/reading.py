"""Read features block by block, so that a mapped file is never copied as a whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

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
