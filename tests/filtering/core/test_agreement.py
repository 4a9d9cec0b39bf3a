"""The batched engine against the exact optimum, whatever the features' scale and the penalty."""

import numpy as np
import pytest

from filtering.core.engines import descent
from tests.filtering.core.ensembles import Problem
from tests.filtering.core.kinds import KINDS, at_scale, make

SHAPE = {"n_rows": 1200, "d": 20, "m": 240}  # 5,760 held-out predictions: two wrong are too many
CORNERS = [(1e-5, 1e-3), (1e-5, 1.0), (1e-4, 1.0), (2e-3, 1.0), (1.0, 1e-3), (1.0, 1e4), (1e3, 1e4)]
ENGINES = pytest.mark.parametrize("engine", ["batched", "plain"])


@pytest.mark.parametrize(("scale", "C"), CORNERS)
@pytest.mark.parametrize("kind", KINDS)
def test_predictions_are_the_exact_optimums_at_any_scale_and_penalty(kind, scale, C):  # noqa: N803
    case = at_scale(kind, scale, C, **SHAPE)
    found = case.fit()
    assert case.agreement(found.predictions, case.certified() > 0) >= 0.9998
    assert found.unconverged == 0


@ENGINES
@pytest.mark.parametrize("kind", ["twins", "separable", "mixed"])
def test_the_scale_of_the_features_changes_no_decision(engine, kind):
    """A power of two, for which float32 has the same digits."""
    one, other = at_scale(kind, 2.0**-10, 2.0**20, **SHAPE), at_scale(kind, 1.0, 1.0, **SHAPE)
    np.testing.assert_allclose(one.fit(engine).decisions, other.fit(engine).decisions, rtol=1e-4)


def test_members_do_not_stay_at_the_consensus_that_has_seen_the_rows_they_hold_out():
    case = at_scale("separable", 1.0, 1e4, **SHAPE)
    found, exact = (
        ((predictions == case.table.y[:, None]) & ~case.masks).sum() / (~case.masks).sum()
        for predictions in (case.fit().predictions, case.certified() > 0)
    )
    assert found == pytest.approx(exact, abs=2e-4)


@pytest.mark.parametrize("C", [1e-6, 1e-2, 0.1])
def test_small_decisions_have_the_right_sign_where_labels_weigh_alike(C):  # noqa: N803
    """They lie on both sides of 0, and sigmoid(z) is 1/2 and hardly any digit more."""
    x, y = make("unbalanced", n_rows=1200, d=20)
    case = Problem(x * 0.02, y, m=240, C=C, balanced=True)
    found = case.fit()
    assert np.abs(found.decisions).mean() < descent.FAINT
    assert case.agreement(found.predictions, case.certified() > 0) >= 0.9998


def test_a_smaller_tolerance_brings_decisions_nearer():
    x, y = make("plain", n_rows=1200, d=20)
    exact = Problem(x, y, m=240).certified()
    apart = [
        np.abs(Problem(x, y, m=240, tol=tol).fit().decisions - exact).mean()
        for tol in (1e-1, 1e-3, 1e-5)
    ]
    assert apart[0] > 10 * apart[1] > 100 * apart[2]
