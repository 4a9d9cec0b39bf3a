"""The one test of fresh models against one half: its level, its power, and what it says of both."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score

from benchmarks.planted_bias import plant
from filtering.core.engines import Base, BatchedEngine, Settings
from filtering.core.fresh import (
    FOLDS,
    FreshModels,
    balanced_accuracy,
    deal_folds,
)
from filtering.core.one_half import (
    Comparison,
    compare,
    detectable_from_counts,
    exchanged_labels,
    is_measurable,
)
from filtering.core.probes import fresh_models
from filtering.core.table import Table
from filtering.provenance import _direction
from tests.filtering.core.planted import planted, twins


def compared(seed=0, *, n=324, d=16, strength=0.0, **twins):
    made = plant(n, d, share=0.25, strength=strength, seed=seed, **twins)
    table = Table.of(made.X, made.y, groups=made.groups, ids=None)
    return compare(fresh_models("linear", seed=seed), table, np.arange(n), seed=seed)


ALIKE = {"paired": 1.0, "apart": 0.1}


def test_pairs_that_are_alike_are_measured_more_precisely_than_unrelated_rows() -> None:
    alike, unrelated = compared(**ALIKE).grouped, compared().grouped
    assert alike.detectable < 0.52
    assert 0.57 < unrelated.detectable < 0.59


def test_a_bias_of_pairs_that_are_alike_is_found_a_point_from_one_half() -> None:
    found = compared(strength=0.4, **ALIKE).grouped
    assert found.direction == "above"
    assert found.accuracy.value < 0.54


@pytest.mark.parametrize("accuracy", [0.2, 0.42, 0.4999, 0.5, 0.56, 0.57, 0.999, 1.0])
def test_the_interval_has_one_half_in_it_exactly_if_no_side_is_found(accuracy: float) -> None:
    found = Comparison.of(accuracy, 0.0009, n=300, alpha=0.05)
    inside = found.accuracy.low <= 0.5 <= found.accuracy.high
    assert inside == (found.direction == "none")
    assert 0 <= found.accuracy.low <= accuracy <= found.accuracy.high <= 1


def test_too_few_questions_are_not_measured() -> None:
    found = compared(n=100).grouped
    assert (found.accuracy.value, found.accuracy.n, found.direction, found.detectable) == (
        None, 100, None, None,
    )  # fmt: skip
    assert detectable_from_counts(199) is None
    y = np.arange(300) < 150
    assert is_measurable(y, np.arange(300))
    assert not is_measurable(y, np.arange(300) // 16)  # 19 groups


def test_parts_are_tested_only_where_they_are_enough_and_not_all() -> None:
    half, whole = compared(n=600, paired=0.5), compared(paired=1.0)
    assert {half.paired.direction, half.unpaired.direction} <= {"none", "above", "below"}
    assert whole.paired == whole.grouped
    assert (whole.unpaired.direction, whole.unpaired.accuracy.n) == (None, 0)


def test_an_exchange_keeps_twins_opposite_and_the_number_of_each_label() -> None:
    made = plant(300, 4, share=0, strength=0, paired=0.6, positive=0.8, seed=1)
    groups, keys = made.groups.astype(np.uint64), np.arange(300, dtype=np.uint64)
    found = exchanged_labels(made.y, groups, keys, seed=0, number=0)
    assert (found[:180:2] != found[1:180:2]).all()
    assert found.sum() == made.y.sum()
    assert 40 < (found[:180:2] != made.y[:180:2]).sum() < 50 + 15
    other = exchanged_labels(made.y, groups, keys, seed=0, number=1)
    assert (found != other).any()


def test_the_public_figure_follows_from_the_number_of_questions_alone() -> None:
    figures = {"accuracy": {"value": 0.61, "n": 1000}, "leak": {"direction": "above"}}
    others = {"accuracy": {"value": 0.49, "n": 1000}, "leak": {"direction": "none"}}
    public = [_direction(one) for one in (figures, others)]
    assert public[0]["detectable"] == public[1]["detectable"] == pytest.approx(0.55, abs=0.002)
    assert detectable_from_counts(324) > compared().grouped.detectable


@pytest.mark.long
@pytest.mark.parametrize("twins", [{}, {"paired": 0.5, "apart": 0.3}, ALIKE])
def test_of_sets_without_a_bias_about_one_in_twenty_is_said_to_have_one(twins) -> None:
    found = [compared(seed, d=32, **twins) for seed in range(150)]
    sides = [{one.grouped.direction, one.paired.direction, one.unpaired.direction} for one in found]
    assert sum(bool(one & {"above", "below"}) for one in sides) <= 15  # 10 %


@pytest.mark.long
@pytest.mark.parametrize(("twins", "strength"), [({}, 1.6), ({"paired": 1.0, "apart": 0.3}, 0.45)])
def test_the_power_that_is_printed_is_the_share_of_sets_that_are_found(twins, strength) -> None:
    from scipy.stats import norm

    found = [compared(seed, strength=strength, **twins).grouped for seed in range(150)]
    errors = [(one.detectable - 0.5) / (1.96 + 0.8416) for one in found]
    mean = np.mean([one.accuracy.value for one in found])
    printed = norm.cdf((mean - 0.5) / np.mean(errors) - 1.96)
    share = np.mean([one.direction == "above" for one in found])
    assert 0.4 < printed < 0.97
    assert abs(share - printed) < 0.05 + 2 * 0.033  # and two errors of 150 sets


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
