"""Principal components of a data set's features, without copying it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from threadpoolctl import threadpool_limits

BLOCK = 4096

Floats = NDArray[np.float64]
Features = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class Axes:
    """A mean and the directions of largest variance around it.

    Parameters
    ----------
    mean : float64 (d,)
    components : float64 (n_components, d)
        Unit vectors, by falling variance; of each, the entry of largest size is positive.
    explained : float64 (n_components,)
        Shares of the whole variance; zeros where there is none.
    """

    mean: Floats
    components: Floats
    explained: Floats

    def project(self, X: Features) -> Floats:  # noqa: N803
        """Return the rows' places on the axes (n_rows, n_components), the same on any cores."""
        found = np.empty((len(X), len(self.components)))
        with threadpool_limits(1):
            for start, block in _blocks(X, None):
                found[start : start + len(block)] = (block - self.mean) @ self.components.T
        return found


def fit_axes(
    X: Features,  # noqa: N803
    *,
    rows: NDArray[np.intp] | None = None,
    n_components: int = 2,
) -> Axes:
    """Find the principal components of a set.

    Parameters
    ----------
    X : float (n_rows, d), at least one row, finite
        A memory map will do: it is read twice in blocks of 4,096 rows and never copied whole. Not
        scaled; centred by its column means.
    rows : int (n,), optional
        Only these rows count.
    n_components : int, at least 1
        Fewer are found where d is smaller.

    Returns
    -------
    Axes
        By the eigenvectors of the covariance, in float64, in one thread: more would cut sums
        differently, and the bits would hang on the machine's cores.

    Raises
    ------
    ValueError
        When X has no row or is not finite.

    Source: WinoGrande §3, Figure 1 (PCA to two dimensions and to one).
    """
    with threadpool_limits(1):
        mean, scatter = _moments(X, rows)
        d = len(mean)
        found = min(n_components, d)
        variances, vectors = eigh(scatter, subset_by_index=(d - found, d - 1))
    components = vectors[:, ::-1].T  # (found, d)
    largest = np.abs(components).argmax(axis=1)
    components *= np.sign(components[np.arange(found), largest])[:, None]
    whole = float(np.trace(scatter))
    explained = variances[::-1] / whole if whole > 0 else np.zeros(found)
    return Axes(mean, np.ascontiguousarray(components), explained)


def _moments(
    X: Features,  # noqa: N803
    rows: NDArray[np.intp] | None,
) -> tuple[Floats, Floats]:
    """Return the mean (d,) and the sum of squares and products around it (d, d)."""
    n = len(X) if rows is None else len(rows)
    if n == 0:
        raise ValueError("X must have at least one row, got none")
    mean = np.zeros(X.shape[1])
    for _, block in _blocks(X, rows):
        mean += block.sum(axis=0) / n
    scatter = np.zeros((X.shape[1], X.shape[1]))
    for _, block in _blocks(X, rows):
        block -= mean
        scatter += block.T @ block
    if not np.isfinite(scatter).all():
        raise ValueError("X must be finite, got NaN or infinity")
    return mean, scatter


def _blocks(
    X: Features,  # noqa: N803
    rows: NDArray[np.intp] | None,
) -> Iterator[tuple[int, Floats]]:
    for start in range(0, len(X) if rows is None else len(rows), BLOCK):
        part = slice(start, start + BLOCK) if rows is None else rows[start : start + BLOCK]
        yield start, X[part].astype(np.float64)
