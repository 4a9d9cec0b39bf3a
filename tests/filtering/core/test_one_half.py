"""The one test of fresh models against one half: its level, its power, and what it says of both."""

import numpy as np
import pytest

from benchmarks.planted_bias import plant
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
