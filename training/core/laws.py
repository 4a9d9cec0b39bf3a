"""Laws of a learning curve: families of shapes, each fitted to all that the points allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NAMES = ("power", "logistic", "line")
EXPONENTS = np.geomspace(0.01, 20, 60)
STEEPNESSES = np.geomspace(0.2, 6, 30)
PLACES = 80  # grid points of the size at which a curve begins to fall, or is half down
ALMOST = 1 - 1e-12


@dataclass(frozen=True, slots=True)
class Law:
    """A family of curves ``start − drop · fallen(n)``, with a shape per row of a grid.

    Parameters
    ----------
    name : str
        ``power``: a power law with a floor and an onset, ``fallen = 1 − (1 + n / onset)^−a``.
        ``logistic``: a logistic curve in log n with a floor, ``fallen = 1 / (1 + (middle / n)^k)``.
        ``line``: a straight line in log n from an onset, ``fallen = max(0, ln(n / onset))``.
    fallen : function of float (n_sizes,) to float (n_shapes, n_sizes)
        Rises with n from 0.
    size_at : function of float (n_shapes,) to float (n_shapes,)
        The inverse: the training size at which so much has fallen.
    most : float
        What ``fallen`` approaches with n.
    """

    name: str
    fallen: Callable[[Floats], Floats]
    size_at: Callable[[Floats], Floats]
    most: float


def laws(smallest: float, largest: float) -> tuple[Law, ...]:
    """Return the laws with grids of shapes for sizes measured between two ends.

    Examples
    --------
    >>> power, logistic, line = laws(100, 10_000)
    >>> all((law.fallen(np.array([1e3, 1e4])) >= 0).all() for law in (power, logistic, line))
    True
    """
    places = np.geomspace(smallest / 100, largest * 100, PLACES)
    onset, exponent = (grid_axis.ravel() for grid_axis in np.meshgrid(places, EXPONENTS))
    middle, k = (grid_axis.ravel() for grid_axis in np.meshgrid(places, STEEPNESSES))
    start = np.geomspace(smallest / 100, largest, 3 * PLACES)
    return (
        Law(
            "power",
            lambda n: 1 - (1 + n / onset[:, None]) ** -exponent[:, None],
            lambda x: onset * np.expm1(-np.log1p(-x) / exponent),
            1.0,
        ),
        Law(
            "logistic",
            lambda n: 1 / (1 + (middle[:, None] / n) ** k[:, None]),
            lambda x: middle * (x / (1 - x)) ** (1 / k),
            1.0,
        ),
        Law(
            "line",
            lambda n: np.maximum(0, np.log(n / start[:, None])),
            lambda x: start * np.exp(x),
            np.inf,
        ),
    )


class Fits:
    """Every shape of a law, each with the drops that the points allow.

    Parameters
    ----------
    sizes, errors : float (n_sizes,)
        Mean error at each size.
    precision : float (n_sizes, n_sizes)
        The inverse of the errors' covariance matrix.
    start : float
        The error without training.

    Attributes
    ----------
    least : float
        The smallest misfit: the generalised sum of squares of the residuals.
    """

    def __init__(
        self, law: Law, sizes: Floats, errors: Floats, precision: Floats, *, start: float
    ) -> None:
        self.law, self.start = law, start
        fallen, rest = law.fallen(sizes), start - errors
        # The error is linear in the drop, so the misfit is a parabola of it.
        weighed = fallen @ precision  # (n_shapes, n_sizes)
        self.square = np.maximum((weighed * fallen).sum(axis=1), 1e-12)
        self.vertex = weighed @ rest / self.square
        self.at_vertex = float(rest @ precision @ rest) - self.square * self.vertex**2
        self.most = start / law.most if np.isfinite(law.most) else np.inf  # no error below 0
        drops = self.vertex.clip(0, self.most)
        self.least = float((self.at_vertex + self.square * (drops - self.vertex) ** 2).min())

    def sizes_within(self, allowed: float, error: float) -> tuple[float, float]:
        """Return the least and largest size at which a curve of at most *allowed* misfit arrives.

        (infinity, 0) if there is no such curve.
        """
        half = np.sqrt(np.maximum(allowed - self.at_vertex, 0) / self.square)
        low, high = np.maximum(self.vertex - half, 0), np.minimum(self.vertex + half, self.most)
        is_allowed = (self.at_vertex <= allowed) & (low <= high)
        if not is_allowed.any():
            return np.inf, 0.0
        ends = (self._sizes_at(error, drop)[is_allowed] for drop in (high, low))
        least, largest = ends
        return float(least.min()), float(largest.max())

    def _sizes_at(self, error: float, drops: Floats) -> Floats:
        """Return the size (n_shapes,) at which each curve has an error; infinity if never."""
        if self.start <= error:
            return np.zeros(len(drops))
        with np.errstate(divide="ignore", over="ignore"):
            needed = (self.start - error) / np.maximum(drops, 0)
            reached = needed < self.law.most
            sizes = self.law.size_at(np.where(reached, np.minimum(needed, 700), ALMOST))
        return np.where(reached, sizes, np.inf)


def best_first(fits: Sequence[Fits], allowed: float) -> tuple[str, ...]:
    """Return the names of the laws of which a curve has at most *allowed* misfit."""
    within = sorted((fit.least, fit.law.name) for fit in fits if fit.least <= allowed)
    return tuple(dict.fromkeys(name for _, name in within))
