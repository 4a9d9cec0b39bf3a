"""Both engines against the exact optimum, and where they have to work."""

import multiprocessing

import joblib
import numpy as np
import pytest

from filtering.core.aflite import AFLite
from filtering.core.engines import Base, blocks, descent
from tests.filtering.core.ensembles import Problem
from tests.filtering.core.plain_engine import PlainAFLite
from tests.filtering.core.planted import planted

ENGINES = pytest.mark.parametrize("engine", ["batched", "plain"])
# Few models decide by another product than many.
WIDTHS = pytest.mark.parametrize("n", [6, blocks.FEW])


def problem(*, n_rows=300, d=6, **settings):
    x, y, _ = planted(n_leaky=n_rows // 3, n_clean=n_rows - n_rows // 3, d=d)
    return Problem(x, y, **settings)


def unbalanced(positive, **settings):
    """A problem whose few features tell something of labels of which one is rare."""
    rng = np.random.default_rng(0)
    y = rng.random(600) < positive
    x = rng.normal(size=(600, 4)).astype(np.float32)
    x[:, 0] += y
    return Problem(x, y, **settings)


@ENGINES
@WIDTHS
def test_predictions_equal_the_exact_optimums(engine, n):
    case = problem(n=n)
    found = case.fit(engine)
    assert (found.unconverged, found.fallbacks) == (0, 0)
    assert case.agreement(found.predictions, case.exact()) >= 0.999


@ENGINES
@WIDTHS
def test_decisions_are_those_of_the_weights_and_predictions_their_sign(engine, n):
    case = problem(n=n)
    found = case.fit(engine)
    says = case.x @ found.weights[:, :-1].T + found.weights[:, -1]
    assert found.decisions.dtype == np.float32
    np.testing.assert_allclose(found.decisions, says, atol=1e-5)
    np.testing.assert_array_equal(found.predictions, found.decisions > 0)


@pytest.mark.parametrize("positive", [0.3, 0.05, 0.95])
@ENGINES
@WIDTHS
def test_both_labels_weigh_alike_where_asked(engine, n, positive):
    case = unbalanced(positive, n=n, m=150, balanced=True)
    found = case.fit(engine)
    assert (found.unconverged, found.fallbacks) == (0, 0)
    assert case.agreement(found.predictions, case.exact()) >= 0.999
    if positive == 0.05:
        alike = found.predictions[~case.masks].mean()
        plain = unbalanced(positive, n=n, m=150).fit(engine).predictions[~case.masks].mean()
        assert plain < 0.05 < 0.15 < alike


@ENGINES
def test_rows_that_are_not_alive_change_nothing_but_the_start(engine):
    """A base that stays while rows go, as in a working set or where sets are nested."""
    case = problem(n_rows=600, n=4, balanced=True)
    made = case.make(engine)
    for n_left in (600, 594, 540):
        left = case.rows[:n_left]
        masks = case.masks[:n_left]
        found = made.fit(Base.of(case.rows), left, masks)
        same = made.fit(Base.of(left), left, masks)
        assert found.decisions.shape == (n_left, 4)
        np.testing.assert_allclose(found.decisions, same.decisions, atol=1e-3)


@ENGINES
def test_a_part_with_one_class_predicts_that_class(engine):
    case = problem(n=3)
    case.table.y[:] = case.masks[:, 0]
    found = case.fit(engine)
    assert (found.decisions[:, 0] == 1).all()
    assert found.predictions[:, 0].all()
    assert not found.predictions[:, 1].all()
    case.table.y[:] = ~case.masks[:, 0]
    assert not case.fit(engine).predictions[:, 0].any()


@ENGINES
def test_constant_features_leave_the_parts_majority(engine):
    case = problem(m=61)
    case.table.source[:] = 0
    majority = [case.table.y[mask].mean() > 0.5 for mask in case.masks.T]
    assert (case.fit(engine).predictions == np.array(majority)).all()


@ENGINES
def test_progress_ends_at_the_number_of_members(engine):
    seen = []
    problem(n=3).fit(engine, progress=seen.append)
    assert seen[-1] == 3
    assert seen == sorted(seen)


def test_members_that_stop_early_are_counted():
    assert problem(n=4, tol=1e-9, max_iter=1).fit("plain").unconverged == 4


@pytest.mark.parametrize("m", [30, 250])
def test_parts_small_against_the_features_are_solved_as_well(m):
    case = problem(n_rows=600, d=120, m=m)
    found = case.fit()
    assert found.fallbacks == 0
    assert case.agreement(found.predictions, case.exact()) >= 0.999


def test_duplicate_rows_and_repeated_features_are_solved_as_well():
    x, y, _ = planted(n_leaky=60, n_clean=60)
    case = Problem(np.tile(np.hstack([x, x]), (3, 1)), np.tile(y, 3))
    assert case.agreement(case.fit().predictions, case.exact()) >= 0.999


@pytest.mark.parametrize("scale", [1e-6, 1e4])
def test_features_of_other_scales_end_at_the_optimum(scale):
    x, y, _ = planted(n_leaky=100, n_clean=200)
    found = Problem(x * np.float32(scale), y).fit()
    # The same problem: features times s are a penalty over s squared.
    same = Problem(x, y, C=scale**2)
    assert same.agreement(found.predictions, same.exact()) >= 0.999


@pytest.mark.parametrize("scale", [1e20, 1e25])
def test_features_too_large_to_square_go_to_the_plain_solver(scale):
    x, y, _ = planted(n_leaky=100, n_clean=200)
    case = Problem(x * np.float32(scale), y)
    found = case.fit()
    assert found.fallbacks == 6
    np.testing.assert_array_equal(found.predictions, case.fit("plain").predictions)


def test_separable_data_without_a_penalty_to_speak_of_goes_to_the_plain_solver():
    x, y, _ = planted(n_leaky=300, n_clean=0)
    x[:, 0] *= 20
    case = Problem(x, y, C=1e12)
    found = case.fit()
    assert np.isfinite(found.weights).all()
    assert case.agreement(found.predictions, np.repeat(case.table.y[:, None], 6, 1)) == 1


def test_what_float32_cannot_finish_goes_to_the_plain_solver():
    case = problem(tol=1e-10)
    found = case.fit()
    assert found.fallbacks == 6
    assert found.unconverged == 0
    assert (found.predictions == case.fit("plain").predictions).all()


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("held", [True, False])
@WIDTHS
def test_the_number_of_threads_changes_no_bit(threads, held, n, monkeypatch):
    monkeypatch.setattr(blocks, "HELD", 70)
    monkeypatch.setattr(blocks, "READ", 70)
    monkeypatch.setattr(blocks, "HELD_BYTES", 2**30 if held else 0)
    case = problem(n_rows=900, n=n)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 5)
    expected = case.fit().weights
    monkeypatch.setattr(joblib, "cpu_count", lambda: threads)
    np.testing.assert_array_equal(case.fit().weights, expected)


@WIDTHS
def test_rows_read_again_give_what_rows_held_give(n, monkeypatch):
    case = problem(n_rows=900, d=40, n=n)
    held = case.fit().predictions
    monkeypatch.setattr(blocks, "HELD_BYTES", 0)
    assert case.agreement(case.fit().predictions, held) > 0.9995


@WIDTHS
def test_torchs_own_products_give_what_onednns_give(n, monkeypatch):
    """The path that CUDA takes, on a CPU."""
    case = problem(n_rows=900, d=40, n=n)
    expected = case.fit().predictions
    monkeypatch.setattr(descent, "linear", descent.torch.nn.functional.linear)
    monkeypatch.setattr(blocks, "linear", descent.torch.nn.functional.linear)
    assert case.agreement(case.fit(device="cpu").predictions, expected) > 0.9995


def test_the_last_models_of_a_working_set_are_fitted_by_themselves(monkeypatch):
    """Parts of very different difficulty: the hard ones are solved as if alone."""
    case = problem(n_rows=900, n=8, C=30.0)
    case.masks[:, 5:] &= np.arange(900)[:, None] % 9 == 0
    widths = []
    narrowed = descent.Descent._narrowed
    monkeypatch.setattr(
        descent.Descent,
        "_narrowed",
        lambda self, models, stay: widths.append(int(stay.sum())) or narrowed(self, models, stay),
    )
    found = case.fit()
    assert widths
    assert case.agreement(found.predictions, case.exact()) >= 0.999


def _run_in_child(queue):
    queue.put(problem().fit().predictions.sum())


def test_it_runs_in_a_daemonic_process_as_celery_prefork_has_them():
    expected = problem().fit().predictions.sum()
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_run_in_child, args=(queue,), daemon=True)
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert queue.get() == expected


def test_an_error_raised_in_progress_comes_back_at_once():
    def stop(done, n):
        raise KeyboardInterrupt

    x, y, _ = planted(n_leaky=100, n_clean=200)
    for kind in (AFLite, PlainAFLite):
        with pytest.raises(KeyboardInterrupt):
            list(kind(n=4, m=60).steps(x, y, progress=stop))
