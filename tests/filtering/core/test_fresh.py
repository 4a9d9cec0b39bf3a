"""Fresh models over shrinking sets: folds, labels weighed alike, the error over groups."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score

from filtering.core.engines import Base, BatchedEngine, Settings
from filtering.core.fresh import (
    FOLDS,
    FreshModels,
    balanced_accuracy,
    deal_folds,
)
from filtering.core.table import Table
from tests.filtering.core.planted import planted, twins


def test_every_fold_has_its_share_of_pairs_and_of_unpaired_questions_with_either_answer() -> None:
    _, y, groups = twins(n_pairs=50, n_unpaired=60)
    keys = np.unique(groups, return_inverse=True)[1].astype(np.uint64)
    folds = deal_folds(keys, y.astype(bool), seed=0, purpose="test")
    kinds = np.where(np.arange(160) < 100, 2, y)
    for kind in range(3):
        its = np.bincount(folds[kinds == kind], minlength=5)
        assert np.ptp(its) <= (0 if kind == 2 else 1)
    assert (folds[:100:2] == folds[1:100:2]).all()


def test_the_accuracy_weighs_both_labels_alike() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.8
    hits = rng.random(300) < np.where(y, 0.9, 0.3)
    found, _ = balanced_accuracy(hits.astype(float), y, np.arange(300))
    assert found == pytest.approx(balanced_accuracy_score(y, y == hits))
    majority, error = balanced_accuracy(y.astype(float), y, np.arange(300))
    assert (majority, error) == (pytest.approx(0.5), 0)


@pytest.mark.parametrize("together", [-0.9, 0.0, 0.9])
def test_the_error_is_the_accuracys_spread_over_groups(together: float) -> None:
    """Of pairs whose hits agree, disagree or have nothing to do with each other."""
    rng = np.random.default_rng(1)
    y, groups = np.tile([True, False], 200), np.repeat(np.arange(200), 2)
    found = []
    for _ in range(400):
        first = rng.random(200) < 0.6
        same = rng.random(200) < abs(together)
        other = np.where(same, first if together > 0 else ~first, rng.random(200) < 0.6)
        hits = np.stack([first, other], axis=1).ravel().astype(float)
        found.append(balanced_accuracy(hits, y, groups))
    values, errors = np.array(found).T
    assert np.sqrt((errors**2).mean()) == pytest.approx(values.std(), rel=0.12)


def test_a_look_is_the_cross_validated_accuracy_of_scikit_learns_model() -> None:
    x, y, _ = planted(n_leaky=60, n_clean=300)
    y[:40] = 1
    table = Table.of(x, y, groups=None, ids=None)
    settings = Settings(C=1.0, tol=1e-6, max_iter=1000, m=100, balanced=True)
    models = FreshModels(table, BatchedEngine(table, settings), deals=2, seed=5)
    rows = np.flatnonzero(np.arange(360) % 6 != 0)
    found = models.look(Base.of(np.arange(360)), rows)
    hits = np.zeros(len(rows))
    for folds in models._folds[:, rows]:
        for fold in range(FOLDS):
            inside = folds != fold
            model = LogisticRegression(class_weight="balanced", tol=1e-6)
            model.fit(table.rows(rows)[inside], table.y[rows][inside])
            right = model.predict(table.rows(rows)[~inside]) == table.y[rows][~inside]
            hits[~inside] += right / 2
    value, error = balanced_accuracy(hits, table.y[rows], rows)
    assert (found.n_left, found.accuracy) == (300, pytest.approx(value, abs=0.004))
    assert found.error == pytest.approx(error, rel=0.05)


def test_twins_are_in_one_fold_of_every_deal() -> None:
    x, y, groups = twins(n_pairs=60, n_unpaired=30)
    table = Table.of(x, y, groups=groups, ids=None)
    settings = Settings(C=1.0, tol=1e-5, max_iter=100, m=50, balanced=True)
    folds = FreshModels(table, BatchedEngine(table, settings), deals=2, seed=0)._folds
    assert (folds[:, :120:2] == folds[:, 1:120:2]).all()
    assert (folds[0] != folds[1]).any()
