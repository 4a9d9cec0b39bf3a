"""Principal components of a data set's features, reproducible on any number of cores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

Floats = NDArray[np.float64]
Features = NDArray[np.floating]


def fit_axes(
    X: Features,  # noqa: N803
    *,
    rows: NDArray[np.intp] | None = None,
    n_components: int = 2,
) -> PCA:
    """Find the principal components of a set.

    Parameters
    ----------
    X : float (n_rows, d), at least one row, finite
        Not scaled; centred by its column means. A copy in float64 is made.
    rows : int (n,), optional
        Only these rows are used.
    n_components : int, at least 1
        Fewer are found where d is smaller.

    Returns
    -------
    PCA
        From the eigenvectors of the covariance, in float64, in one thread: with more the last bits
        would depend on the number of cores. The entry of each component with the largest absolute
        value is positive. Explained variance ratios are 0 where there is no variance.

    Raises
    ------
    ValueError
        When X has no row or is not finite.

    Source: WinoGrande §3, Figure 1 (PCA to two dimensions and to one).
    """
    x = np.asarray(X if rows is None else X[rows], dtype=np.float64)
    if len(x) == 0:
        raise ValueError("X must have at least one row, got none")
    if len(x) <= n_components:  # scikit-learn needs more rows; weights stay equal
        x = np.tile(x, (n_components + 1, 1))
    axes = PCA(min(n_components, x.shape[1]), svd_solver="covariance_eigh")
    with threadpool_limits(1), np.errstate(invalid="ignore"):
        axes.fit(x)
    axes.explained_variance_ratio_ = np.nan_to_num(axes.explained_variance_ratio_)
    return axes


def project(axes: PCA, X: Features) -> Floats:  # noqa: N803
    """Return the rows' positions on the axes (n_rows, n_components), also in one thread."""
    with threadpool_limits(1):
        return np.asarray(axes.transform(X), dtype=np.float64)
