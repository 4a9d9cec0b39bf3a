"""The ensemble engine against the exact optimum, and where it has to work."""

import multiprocessing

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from filtering.core.engines import stock_ensemble
from filtering.core.parts import PhaseKeys, identity_keys, training_masks
from tests.filtering.core.planted import planted

SETTINGS = {"C": 1.0, "tol": 1e-4, "max_iter": 1000}


def problem(*, n=6, m=60, n_rows=300):
    x, y, _ = planted(n_leaky=n_rows // 3, n_clean=n_rows - n_rows // 3)
    keys = identity_keys(range(n_rows), name="ids")
    masks = training_masks(keys, m=m, members=PhaseKeys.of(seed=0, phase=1, n=n).members)
    return x - x.mean(axis=0), y.astype(bool), masks


def test_predictions_equal_the_exact_optimums():
    x, y, masks = problem()
    found = stock_ensemble(x, y, masks, **SETTINGS)
    assert found.unconverged == 0
    for mask, predicted in zip(masks.T, found.predictions.T, strict=True):
        exact = LogisticRegression(solver="newton-cholesky", tol=1e-9)
        exact.fit(x[mask].astype(np.float64), y[mask])
        assert (exact.predict(x) == predicted).mean() >= 0.999


def test_a_part_with_one_class_predicts_that_class():
    x, _, masks = problem(n=2)
    y = masks[:, 0].copy()
    found = stock_ensemble(x, y, masks, **SETTINGS)
    assert found.predictions[:, 0].all()
    assert not stock_ensemble(x, ~y, masks, **SETTINGS).predictions[:, 0].any()


def test_constant_features_leave_the_parts_majority():
    _, y, masks = problem(m=61)
    found = stock_ensemble(np.zeros((300, 3), dtype=np.float32), y, masks, **SETTINGS)
    majority = [y[mask].mean() > 0.5 for mask in masks.T]
    assert (found.predictions == np.array(majority)).all()


def test_members_that_stop_early_are_counted():
    x, y, masks = problem(n=4)
    assert stock_ensemble(x, y, masks, C=1.0, tol=1e-9, max_iter=1).unconverged == 4


def test_progress_counts_the_members():
    seen = []
    x, y, masks = problem(n=3)
    stock_ensemble(x, y, masks, **SETTINGS, progress=seen.append)
    assert seen == [1, 2, 3]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(threads, monkeypatch):
    x, y, masks = problem()
    expected = stock_ensemble(x, y, masks, **SETTINGS).predictions
    monkeypatch.setattr(joblib, "cpu_count", lambda: threads)
    np.testing.assert_array_equal(stock_ensemble(x, y, masks, **SETTINGS).predictions, expected)


def _run_in_child(queue):
    x, y, masks = problem()
    queue.put(stock_ensemble(x, y, masks, **SETTINGS).predictions.sum())


def test_it_runs_in_a_daemonic_process_as_celery_prefork_has_them():
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_run_in_child, args=(queue,), daemon=True)
    child.start()
    child.join(60)
    x, y, masks = problem()
    assert child.exitcode == 0
    assert queue.get() == stock_ensemble(x, y, masks, **SETTINGS).predictions.sum()
