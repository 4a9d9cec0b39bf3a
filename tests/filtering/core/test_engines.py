"""Both engines against the exact optimum, and where they have to work."""

import multiprocessing

import joblib
import numpy as np
import pytest

from filtering.core.aflite import AFLite
from filtering.core.engines import Base, blocks, descent
from filtering.core.leaks import option_features
from modeling.encoders import load_encoder
from modeling.specs import TINY_ENCODER
from tests.filtering.core.ensembles import Problem, phases_from_the_same_rows
from tests.filtering.core.kinds import KINDS, at_scale, make
from tests.filtering.core.plain_engine import PlainAFLite
from tests.filtering.core.planted import planted
from tests.winogrande_data import winogrande_path, winogrande_questions

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


@pytest.mark.long
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


@pytest.mark.long
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


SHAPE = {"n_rows": 1200, "d": 20, "m": 240}  # 5,760 held-out predictions: two wrong are too many
CORNERS = [(1e-5, 1e-3), (1e-5, 1.0), (1e-4, 1.0), (2e-3, 1.0), (1.0, 1e-3), (1.0, 1e4), (1e3, 1e4)]


@pytest.mark.long
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


@pytest.mark.long
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


SETTINGS = {"stop": "published", "n": 16, "m": 600, "k": 100, "tau": 0.6}


@pytest.fixture(scope="module")
def real():
    if not winogrande_path("train_l").is_file():
        pytest.skip("needs WinoGrande's train_l")
    questions = winogrande_questions("train_l", limit=1600)
    first, second = zip(*(question.filled for question in questions), strict=True)
    rows = load_encoder(TINY_ENCODER).encode(first + second)
    x = option_features(rows[: len(first)], rows[len(first) :])  # (1600, 128)
    return x, np.array([question.answer for question in questions])


@pytest.mark.long
def test_held_out_predictions_are_the_exact_optimums(real):
    case = Problem(*real, n=16, m=600)
    found = case.fit()
    assert (found.fallbacks, found.unconverged) == (0, 0)
    assert case.agreement(found.predictions, case.exact()) >= 0.9998


@pytest.mark.long
def test_phase_by_phase_the_same_rows_go_as_with_the_plain_engine(real):
    phases = list(phases_from_the_same_rows(*real, **SETTINGS))
    assert len(phases) > 2
    for batched, plain in phases:
        np.testing.assert_array_equal(batched.held_out, plain.held_out)
        # One prediction in thousands lies so near 0 that the tolerance decides it.
        assert np.abs(batched.correct - plain.correct).max() <= 1
        assert (batched.correct != plain.correct).mean() < 0.003
        assert len(np.intersect1d(batched.removed, plain.removed)) >= 0.98 * batched.n_removed
