"""The log-ratio of two labels' densities along an axis, by a smooth logistic regression."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.special import expit, softmax

KNOTS = np.linspace(-4.5, 4.5, 37)
BENDING = 10.0 ** np.arange(5, -7, -1.5)  # penalties, from a parabola to flexible
SLOPE = 0.02  # penalty; keeps the slope finite where labels do not overlap
DEGREE = 2.5  # deviance charged per degree of freedom; see `log_ratios`
STEPS, HALVINGS, CLOSE = 50, 12, 1e-3

Floats = NDArray[np.float64]


def log_ratios(places: Floats, first: Floats, second: Floats) -> Floats:
    """Return log p(x | y = 1) / p(x | y = 2) at each place, for many sets at once.

    Parameters
    ----------
    places : float (n_places,)
        Rising, mostly between ±4.5.
    first, second : float (n_sets, n_places), at least 0
        Number of rows of each label at each place; at least one of each in every set.

    Returns
    -------
    float (n_sets, n_places)

    Notes
    -----
    A logistic regression of the label on a cubic spline, straight beyond ±4.5, averaged over eight
    penalties on its third derivative. A penalty has the weight exp(-c / 2), where c is the deviance
    plus 2.5 times the degrees of freedom. So the ratio is a parabola, as for any two normals,
    unless the rows indicate otherwise. With 2 times (Akaike's) a difference is found too often in
    small sets without one; with log n times (Schwarz's) large sets are smoothed too much.

    Source: the ratio of two densities by logistic regression, Qin (Biometrika 1998); the spline,
    its penalty and its degrees of freedom, Hastie, Tibshirani and Friedman, The Elements of
    Statistical Learning (2009), sections 5.2 to 5.6; the weights, Buckland, Burnham and Augustin
    (Biometrics 1997).
    """
    basis, bend, slope = _spline(places)
    prior = np.log(first.sum(axis=1) / second.sum(axis=1))
    at_knots = np.repeat(prior[:, None], len(KNOTS), axis=1)  # (n_sets, n_knots)
    worth, logits = [], []
    for bending in BENDING:
        at_knots, degrees = _fit(basis, first, second, bending * bend + SLOPE * slope, at_knots)
        logits.append(at_knots @ basis.T)  # (n_sets, n_places)
        worth.append(_loss(logits[-1], first, second) + DEGREE / 2 * degrees)
    weights = softmax(-np.array(worth), axis=0)  # (n_bendings, n_sets)
    mean = np.einsum("bs,bsp->sp", weights, np.array(logits))
    return np.asarray(mean - prior[:, None])


def _spline(places: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the matrix from a spline's values at the knots to the places (n_places, n_knots).

    Also the integrals of its squared third and first derivatives (n_knots, n_knots).
    """
    spline = CubicSpline(KNOTS, np.eye(len(KNOTS)), bc_type="not-a-knot")
    within = np.clip(places, KNOTS[0], KNOTS[-1])
    basis = spline(within) + (places - within)[:, None] * spline(within, 1)
    fine = np.linspace(KNOTS[0], KNOTS[-1], 601)
    step = fine[1] - fine[0]
    bend, slope = (spline(fine, order).T @ spline(fine, order) * step for order in (3, 1))
    return basis, bend, slope


def _loss(logits: Floats, first: Floats, second: Floats) -> Floats:
    """Return each set's negative log-likelihood (n_sets,)."""
    return np.asarray(((first + second) * np.logaddexp(0, logits) - first * logits).sum(axis=1))


def _fit(
    basis: Floats, first: Floats, second: Floats, penalty: Floats, start: Floats
) -> tuple[Floats, Floats]:
    """Minimise the penalised loss by Newton's method; return values at knots, degrees of freedom.

    Both for all sets: (n_sets, n_knots) and (n_sets,).
    """
    both, n_knots = first + second, basis.shape[1]
    squares = (basis[:, :, None] * basis[:, None, :]).reshape(len(basis), -1)

    def cost(values: Floats) -> Floats:
        bent = ((values @ penalty) * values).sum(axis=1) / 2
        return np.asarray(_loss(values @ basis.T, first, second) + bent)

    values, now = start, cost(start)
    for _ in range(STEPS):
        chance = expit(values @ basis.T)  # (n_sets, n_places)
        gradient = (both * chance - first) @ basis + values @ penalty
        curved = ((both * chance * (1 - chance)) @ squares).reshape(-1, n_knots, n_knots)
        whole = curved + penalty + 1e-9 * np.eye(n_knots)
        step = np.linalg.solve(whole, gradient[:, :, None])[:, :, 0]
        if ((step * gradient).sum(axis=1) < CLOSE).all():
            break
        for _ in range(HALVINGS):
            worse = cost(values - step) > now
            if not worse.any():
                break
            step[worse] /= 2
        values = values - step
        now = cost(values)
    degrees = np.trace(np.linalg.solve(whole, curved), axis1=1, axis2=2)
    return values, degrees
