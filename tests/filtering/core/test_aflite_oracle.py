"""AFLite against a slow, obvious Algorithm 1 over dictionaries, with the same draws."""

import hashlib
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from filtering.core.aflite import AFLite
from tests.filtering.core.planted import planted
from tests.stats.test_keys import slow_mix


def key(row_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(row_id.encode(), digest_size=8).digest(), "little")


def slow_aflite(x: dict, y: dict, *, n: int, m: int, k: int, tau: str, seed: int) -> list[set]:
    """Return the ids each phase removes; line numbers are Algorithm 1's."""
    left, removed, phase = set(x), [], 0
    while len(left) > m:  # 2
        phase += 1
        keys = np.random.default_rng([seed, phase]).integers(0, 2**64, size=n + 1, dtype=np.uint64)
        tie, *members = (int(value) for value in keys)
        predictions = {e: [] for e in left}  # 3-4
        for member in members:  # 5
            part = sorted(left, key=lambda e: slow_mix(key(e) ^ member))[:m]  # 6
            model = LogisticRegression(solver="newton-cholesky", tol=1e-9)
            model.fit([x[e] for e in part], [y[e] for e in part])  # 7
            for e in left - set(part):  # 8-9
                predictions[e].append(model.predict([x[e]])[0])
        votes = {e: found for e, found in predictions.items() if found}
        scores = {e: Fraction(found.count(y[e]), len(found)) for e, found in votes.items()}
        reached = [e for e, score in scores.items() if score >= Fraction(tau)]  # 10-11
        top = set(sorted(reached, key=lambda e: (-scores[e], slow_mix(key(e) ^ tie)))[:k])  # 12
        left -= top  # 13
        removed.append(top)
        if len(top) < k:  # 14
            break
    return removed


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 3))])
def test_the_same_rows_go_in_the_same_phases(seed):
    x, y, _ = planted(n_leaky=60, n_clean=80, d=4, seed=seed)
    ids = [f"q{i}" for i in range(140)]
    rows_by_rows = {"stop": "published", "partition": "individual", "removal": "individual"}
    phases = AFLite(n=8, m=40, k=15, tau=0.7, tol=1e-5, seed=seed, **rows_by_rows).steps(
        x, y, ids=ids
    )
    expected = slow_aflite(
        dict(zip(ids, x.astype(np.float64), strict=True)),
        dict(zip(ids, y.tolist(), strict=True)),
        n=8, m=40, k=15, tau="0.7", seed=seed,
    )  # fmt: skip
    assert [set(phase.removed_ids) for phase in phases] == expected
    assert len(expected) > 1


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
