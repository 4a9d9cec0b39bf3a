"""Learning curves: sizes, seeds, the area, and the size at which people's level is reached."""

from itertools import pairwise
from math import log2

import numpy as np
import pytest

from corpora.core.bundle.stand_alone import score
from corpora.core.metrics import accuracy, group_score
from evaluation.core.leaderboard import curve_area
from training.core.curves import Area, Point, learning_curve
from training.core.seeds import Spread, constant_levels, seeds

SIZES = (160, 640, 2558, 10234, 40398)


def points(sizes, singles, groups=None):
    """Points by size and seed; *singles* and *groups* have a row per size."""
    groups = groups or [[None] * len(row) for row in singles]
    return [
        Point(size, seed, single, group)
        for size, row, rest in zip(sizes, singles, groups, strict=True)
        for seed, (single, group) in enumerate(zip(row, rest, strict=True))
    ]


def test_the_area_equals_a_computation_by_hand():
    # log2 of 100, 400 and 1,600 are 2 apart, so the area of the means 0.55, 0.7 and 0.8 is
    # (0.55 + 0.7) / 2 * 2 + (0.7 + 0.8) / 2 * 2 = 2.75 over a width of 4, and that of the best
    # 0.6, 0.7 and 0.9 is (0.6 + 0.7) + (0.7 + 0.9) = 2.9 over 4.
    found = learning_curve(points([100, 400, 1600], [[0.5, 0.6], [0.7, 0.7], [0.7, 0.9]]))
    assert found.single == Area(pytest.approx(0.6875), pytest.approx(0.725), 100, 1600)
    assert found.group == Area(None, None, None, None)
    assert [one.single.sd for one in found.sizes] == pytest.approx([0.05 * 2**0.5, 0, 0.1 * 2**0.5])


def test_the_area_of_one_seed_is_the_leaderboards_and_the_scripts_in_a_bundle():
    rng = np.random.default_rng(0)
    single, group = rng.random(5), rng.random(5)
    given = points(SIZES, [[x] for x in single], [[x] for x in group])
    found = learning_curve(list(rng.permutation(np.array(given, dtype=object))))
    assert found.single.mean == found.single.best == pytest.approx(score.area(SIZES, list(single)))
    assert found.group.mean == pytest.approx(curve_area(group, SIZES))
    x = [log2(size) for size in SIZES]
    trapezia = [
        (b - a) * (p + q) / 2 for (a, b), (p, q) in zip(pairwise(x), pairwise(single), strict=True)
    ]
    assert found.single.mean == pytest.approx(sum(trapezia) / (x[-1] - x[0]))


def test_the_published_curve_of_table_4_has_its_area():
    accuracies = [[0.504], [0.586], [0.676], [0.747], [0.791]]
    assert learning_curve(points(SIZES, accuracies)).single.mean == pytest.approx(0.6641, abs=5e-4)


def test_a_curve_that_grows_has_the_seeds_and_sizes_known_so_far():
    given = points([160, 640], [[0.5, None, 0.6], [None, None, None]])
    found = learning_curve(given)
    assert [(one.size, one.single.n) for one in found.sizes] == [(160, 2), (640, 0)]
    assert found.single == Area(None, None, None, None)
    assert learning_curve([]).sizes == ()


def test_size_0_is_in_the_curve_but_not_in_the_area():
    given = points([0, 100, 400], [[0.9], [0.5], [0.7]])
    found = learning_curve(given)
    assert [one.size for one in found.sizes] == [0, 100, 400]
    assert (found.single.mean, found.single.smallest) == (pytest.approx(0.6), 100)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([Point(-1, 0, 0.5)], "size must be at least 0, got -1"),
        ([Point(5, 3, 0.5), Point(5, 3, 0.6)], "seed must differ at size 5, got 3 twice"),
    ],
)
def test_misuse_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        learning_curve(given)


N = 600
TWINS = np.arange(N) // 2
TWO = np.full(N, 2)
ANSWERS = np.tile([1, 2], N // 2)


def runs(seed, accuracies, n=N):
    return np.random.default_rng(seed).random((len(accuracies), n)) < np.array(accuracies)[:, None]


def test_mean_deviation_and_best_are_numpys():
    credits = runs(0, [0.7, 0.8, 0.9])
    found = seeds(credits, TWINS, TWO, ANSWERS)
    means = credits.mean(axis=1)
    assert found.accuracy == Spread(
        3, pytest.approx(means.mean()), pytest.approx(means.std(ddof=1)), means.max()
    )
    wholes = [group_score(one, TWINS).value for one in credits]
    assert found.group_score.mean == pytest.approx(np.mean(wholes))
    assert [run.accuracy for run in found.runs] == [accuracy(one, TWINS) for one in credits]
    assert found.converged_accuracy == found.accuracy


@pytest.mark.parametrize("n", [100, 200, 600])
def test_the_detectable_accuracy_is_told_from_chance_in_80_percent(n):
    twins, two, answers = np.arange(n) // 2, np.full(n, 2), np.tile([1, 2], n // 2)
    clean = seeds(runs(n, [0.5] * 40, n), twins, two, answers).runs
    stated = np.mean([run.detectable for run in clean])
    told = seeds(runs(n + 1, [stated] * 400, n), twins, two, answers).runs
    assert np.mean([not run.collapsed for run in told]) == pytest.approx(0.8, abs=0.06)


def test_runs_that_did_not_converge_are_flagged_and_left_out_of_the_second_mean():
    # Accuracies of one model by learning rate and dropout on WinoGrande dev (jiant, pull 996).
    rng, seen = np.random.default_rng(1), [0.515, 0.513, 0.791, 0.526, 0.517, 0.528, 0.791, 0.8]
    credits = [rng.permutation(np.arange(N) < share * N) for share in seen]
    found = seeds(credits, TWINS, TWO, ANSWERS)
    collapsed = [run.collapsed for run in found.runs]
    assert collapsed == [True, True, False, True, True, True, False, False]
    assert (found.accuracy.n, found.converged_accuracy.n) == (8, 3)
    assert found.converged_accuracy.mean > 0.75 > 0.65 > found.accuracy.mean
    assert found.accuracy.best == found.converged_accuracy.best
    assert found.converged_accuracy.sd < 0.05 < 0.1 < found.accuracy.sd


@pytest.mark.parametrize("option", [1, 2])
def test_a_constant_answer_is_a_collapse_also_where_it_is_better_than_a_coin(option):
    answers = np.where(np.arange(N) % 10 < 7, 1, 2)
    found = seeds([answers == option], [None] * N, TWO, answers)
    assert found.runs[0].accuracy.value == (0.7 if option == 1 else 0.3)
    assert found.runs[0].collapsed
    assert found.converged_accuracy == Spread(0, None, None, None)


def test_a_model_blind_to_the_trigger_has_collapsed():
    assert seeds([np.tile([True, False], N // 2)], TWINS, TWO, ANSWERS).runs[0].collapsed


def test_ties_only_are_a_collapse():
    assert seeds([np.full(N, 0.5)], TWINS, TWO, ANSWERS).runs[0].collapsed


def test_a_run_below_chance_has_not_collapsed():
    assert not seeds(runs(2, [0.3]), TWINS, TWO, ANSWERS).runs[0].collapsed


def share_collapsed(accuracy, n, times=150):
    found = seeds(runs(3, [accuracy] * times, n), [None] * n, TWO[:n], ANSWERS[:n])
    return np.mean([run.collapsed for run in found.runs])


def test_collapsed_runs_are_flagged_in_95_percent_and_good_ones_hardly_ever():
    assert share_collapsed(0.5, 600) >= 0.9
    assert share_collapsed(0.7, 600) == 0


def test_on_few_questions_runs_above_chance_are_called_collapsed_as_often_as_documented():
    assert 0.08 < share_collapsed(0.6, 200) < 0.3
    assert 0.36 < share_collapsed(0.6, 100) < 0.64


def test_levels_are_of_a_coin_and_of_every_option_that_all_questions_have():
    levels = constant_levels([2, 3, 3], [1, 1, 3])
    assert levels.tolist() == pytest.approx([(1 / 2 + 2 / 3) / 3, 2 / 3, 0])
    assert constant_levels([], []).tolist() == []


def test_one_run_has_no_deviation_and_none_has_nothing():
    assert seeds(runs(0, [0.8]), TWINS, TWO, ANSWERS).accuracy.sd is None
    assert seeds([], TWINS, TWO, ANSWERS).accuracy == Spread(0, None, None, None)
    assert not seeds([[]], [], [], []).runs[0].collapsed


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="n_options must be at least 2, got 1"):
        constant_levels([1], [1])
    with pytest.raises(ValueError, match="answers must be from 1 to 2 at 0, got 3"):
        constant_levels([2], [3])
    with pytest.raises(ValueError, match="groups must have 1 entries as answers, got 2"):
        seeds([[True, True]], [None, None], [2], [1])
