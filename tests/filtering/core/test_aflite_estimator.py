"""AFLite keeps scikit-learn's rules for estimators."""

import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from filtering.core.aflite import AFLite
from tests.filtering.core.planted import planted


@parametrize_with_checks([AFLite(n=4, m=10, k=2)])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.long
@parametrize_with_checks([AFLite(stop="published", n=4, m=10, k=2)])
def test_the_published_rule_passes_them_too(estimator, check):
    check(estimator)


def test_a_clone_has_the_parameters_and_nothing_learned():
    x, y, _ = planted(n_leaky=30, n_clean=30)
    fitted = AFLite(n=3, m=20, k=9, tau=0.6, seed=4, removal="together").fit(x, y, groups=range(60))
    twin = clone(fitted)
    assert twin.get_params() == fitted.get_params()
    assert not hasattr(twin, "support_")
