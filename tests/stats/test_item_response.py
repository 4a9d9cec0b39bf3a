"""Item response models against known parameters and another computation."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import norm

from stats.item_response import INTERCEPT, SLOPE, fit

Floats = NDArray[np.float64]


def drawn(m: int, n: int, seed: int, slopes: Floats | None = None) -> tuple[Floats, ...]:
    """Return answers (m, n), slopes, intercepts (n,) and abilities (m,) of a known model."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=m)
    slope = np.exp(rng.normal(0, 0.4, n)) if slopes is None else slopes
    intercept = rng.normal(0.5, 1, n)
    p = 1 / (1 + np.exp(-(np.outer(ability, slope) + intercept)))
    return (rng.random((m, n)) < p).astype(int), slope, intercept, ability


def test_parameters_are_those_of_the_model() -> None:
    right, slope, intercept, ability = drawn(2000, 60, 0)
    fitted = fit(right)
    assert fitted.has_converged
    assert np.abs(fitted.slope - slope).mean() < 0.08
    assert np.abs(fitted.intercept - intercept).mean() < 0.07
    assert np.corrcoef(fitted.ability, ability)[0, 1] > 0.95
    assert np.corrcoef(fitted.difficulty, -intercept / slope)[0, 1] > 0.98


@pytest.mark.long
def test_it_is_the_maximum_of_the_posterior_computed_by_quadrature() -> None:
    right, *_ = drawn(40, 3, 1)
    patterns, counts = np.unique(right, axis=0, return_counts=True)

    def loss(values: Floats) -> float:
        slope, intercept = values[:3], values[3:]

        def likelihood(pattern: Floats) -> float:
            def inner(theta: float) -> float:
                p = 1 / (1 + np.exp(-(slope * theta + intercept)))
                return float(np.prod(np.where(pattern, p, 1 - p)) * norm.pdf(theta))

            return float(quad(inner, -8, 8)[0])

        priors = norm.logpdf(slope, *SLOPE).sum() + norm.logpdf(intercept, *INTERCEPT).sum()
        logs = np.log([likelihood(pattern) for pattern in patterns])
        return float(-(counts @ logs) - priors)

    found = minimize(loss, np.r_[np.ones(3), np.zeros(3)], method="BFGS", options={"gtol": 1e-4})
    fitted = fit(right, max_iterations=5000)
    assert loss(np.r_[fitted.slope, fitted.intercept]) == pytest.approx(found.fun, abs=0.01)
    assert fitted.slope == pytest.approx(found.x[:3], abs=0.1)
    assert fitted.intercept == pytest.approx(found.x[3:], abs=0.1)


def test_an_item_that_the_able_miss_has_a_negative_slope() -> None:
    slopes = np.where(np.arange(40) == 7, -1.5, 1.0)
    right, *_ = drawn(300, 40, 2, slopes)
    fitted = fit(right)
    assert np.flatnonzero(fitted.slope < 0).tolist() == [7]
    assert fitted.slope[7] == pytest.approx(-1.5, abs=4 * fitted.slope_se[7])


def test_missing_answers_say_nothing() -> None:
    right, slope, *_ = drawn(1500, 40, 3)
    right[np.random.default_rng(0).random(right.shape) < 0.3] = -1
    fitted = fit(right)
    assert np.corrcoef(fitted.slope, slope)[0, 1] > 0.9
    assert fitted.n_answers.tolist() == (right >= 0).sum(axis=0).tolist()
    more = np.hstack([right, np.full((len(right), 1), -1)])
    assert fit(more).slope[:-1] == pytest.approx(fitted.slope, abs=0.01)


def test_items_that_all_or_none_answer_have_finite_parameters() -> None:
    right, *_ = drawn(50, 10, 4)
    right[:, 0], right[:, 1] = 1, 0
    fitted = fit(right)
    every = np.array([fitted.slope, fitted.intercept, fitted.slope_se, fitted.misfit_p])
    assert np.isfinite(every).all()
    assert fitted.intercept[0] > 2
    assert fitted.intercept[1] < -2


def test_one_respondent_and_one_item_are_enough_to_return() -> None:
    assert np.isfinite(fit([[1]]).slope).all()


def test_an_item_that_is_hard_for_the_weak_and_for_the_best_does_not_fit() -> None:
    right, _, _, ability = drawn(1000, 40, 5)
    odds = 1.5 - 1.5 * ability**2
    right[:, 3] = np.random.default_rng(1).random(1000) < 1 / (1 + np.exp(-odds))
    fitted = fit(right)
    assert fitted.misfit_p[3] < 1e-6
    assert np.median(np.delete(fitted.misfit_p, 3)) > 0.2


def test_information_is_largest_where_the_items_are() -> None:
    fitted = fit(drawn(500, 30, 6)[0])
    here, far = fitted.information([np.median(fitted.difficulty), 5.0])
    assert here > 5 * far


@pytest.mark.parametrize("right", [[1, 0], [[2, 0]], [[0.5, 1]], np.empty((0, 3)), [[np.nan]]])
def test_other_values_are_refused(right: Floats) -> None:
    with pytest.raises(ValueError, match="right must"):
        fit(right)


@pytest.mark.long
@pytest.mark.parametrize(("m", "n"), [(30, 100), (200, 100), (1000, 100)])
def test_intervals_hold_and_misfit_is_seldom_claimed(m: int, n: int) -> None:
    held, misfit = [], []
    for seed in range(20):
        right, slope, intercept, _ = drawn(m, n, seed)
        fitted = fit(right)
        near = np.abs(fitted.slope - slope) < 1.96 * fitted.slope_se
        held.append(
            [
                near.mean(),
                (np.abs(fitted.intercept - intercept) < 1.96 * fitted.intercept_se).mean(),
            ]
        )
        misfit.append((fitted.misfit_p <= 0.05).mean())
    slopes, intercepts = np.mean(held, axis=0)
    assert 0.93 <= slopes <= 0.98
    assert 0.91 <= intercepts <= 0.98
    assert np.mean(misfit) <= 0.05
