"""Learning curves over sizes and seeds, and the area under them."""

from itertools import pairwise
from math import log2

import numpy as np
import pytest

from corpora.core.bundle.stand_alone import score
from evaluation.core.leaderboard import curve_area
from training.core.curves import Area, Point, learning_curve

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
