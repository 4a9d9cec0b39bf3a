"""The training size at which people's level would be reached, with known truths."""

from math import inf

import numpy as np
import pytest

from evaluation.core.curves import Point
from evaluation.core.power_law import FARTHEST, PowerLaw, reach

SIZES = (160, 640, 2558, 10234, 40398)
PEOPLE = 0.06  # error of the majority of three in WinoGrande
N_TEST = 1267
REACHED = {
    "within": PowerLaw(start=0.5, floor=0.02, onset=300, exponent=0.6),
    "early": PowerLaw(start=0.5, floor=0, onset=100, exponent=0.6),
    "beyond": PowerLaw(start=0.5, floor=0, onset=200, exponent=0.3),
    "slow": PowerLaw(start=0.5, floor=0, onset=2000, exponent=0.4),
    "just_reached": PowerLaw(start=0.5, floor=0.05, onset=1000, exponent=0.7),
}
NEVER = {
    "flat": PowerLaw(start=0.5, floor=0.5, onset=300, exponent=0.6),
    "plateau": PowerLaw(start=0.5, floor=0.2, onset=300, exponent=0.6),
    "late_plateau": PowerLaw(start=0.5, floor=0.15, onset=3000, exponent=2),
}


def measured(law, rng, *, sizes=SIZES, seeds=3, are_shared=True, seed_sd=0.015):
    """Accuracies of fine-tuned models; shared, the questions are the same for all of them."""
    same = rng.random(N_TEST)
    found = []
    for size in sizes:
        for seed in range(seeds):
            questions = same if are_shared else rng.random(N_TEST)
            error = law.error(size) + rng.normal(0, seed_sd)
            found.append(Point(size, seed, float((questions > error).mean())))
    return found


def covered(law, *, times, **options):
    """The share of simulations whose interval contains the truth; those without an upper end."""
    rng, truth = np.random.default_rng(7), law.size_at(PEOPLE)
    hits, endless = 0, 0
    for _ in range(times):
        found = reach(measured(law, rng, **options), error=PEOPLE, n_test=N_TEST)
        if not found.fits:  # then nothing is said about the size
            continue
        hits += found.low <= truth and (found.high or inf) >= truth
        endless += found.high is None
    return hits / times, endless / times


@pytest.mark.parametrize("name", ["within", "beyond"])
def test_a_size_that_is_reached_is_in_the_interval(name):
    assert covered(REACHED[name], times=25)[0] >= 0.88


@pytest.mark.parametrize("name", ["flat", "plateau"])
def test_a_level_that_is_never_reached_gets_no_upper_end(name):
    assert covered(NEVER[name], times=25)[1] >= 0.92


@pytest.mark.long
@pytest.mark.parametrize("are_shared", [True, False])
@pytest.mark.parametrize("sizes", [SIZES, SIZES[:4]])
@pytest.mark.parametrize("name", [*REACHED, *NEVER])
def test_the_interval_contains_the_truth_in_95_of_100_simulations(name, sizes, are_shared):
    law = (REACHED | NEVER)[name]
    hits, endless = covered(law, times=400, sizes=sizes, are_shared=are_shared)
    assert hits >= 0.93  # 0.95 less two standard errors of 400 simulations
    if name in NEVER:
        assert endless >= 0.97


def test_a_naive_straight_line_misses_the_plateau():
    """The control: a line through log error and log size always arrives somewhere."""
    rng, law = np.random.default_rng(0), NEVER["late_plateau"]
    points = measured(law, rng)
    x, y = np.log([p.size for p in points]), np.log([1 - p.single for p in points])
    slope, intercept = np.polyfit(x, y, 1)
    assert np.exp((np.log(PEOPLE) - intercept) / slope) < FARTHEST * SIZES[-1]
    assert reach(points, error=PEOPLE, n_test=N_TEST).high is None


def test_the_answer_is_within_what_was_measured_if_the_curve_passes_the_level():
    law = REACHED["early"]
    found = reach(measured(law, np.random.default_rng(0)), error=0.15, n_test=N_TEST)
    assert found.is_within_measured
    assert found.low < law.size_at(0.15) < found.high < SIZES[-1]
    assert found.low < found.size < found.high


def test_the_published_curve_does_not_reach_people_within_what_was_measured():
    """WinoGrande's Table 4 on test; the paper says over 118,000 training questions."""
    curve = [(160, 0.504), (640, 0.586), (2558, 0.676), (10234, 0.747), (40398, 0.791)]
    points = [Point(n, seed, x + 0.01 * seed) for n, x in curve for seed in (-1, 0, 1)]
    found = reach(points, error=PEOPLE, n_test=1767)
    assert found.fits
    assert not found.is_within_measured
    assert found.low > 118_000
    assert found.high is None


def test_an_uncertain_level_widens_the_interval():
    points = measured(REACHED["early"], np.random.default_rng(4))
    exact = reach(points, error=0.15, n_test=N_TEST)
    rough = reach(points, error=0.15, n_test=N_TEST, error_sd=0.02)
    assert rough.low < exact.low < exact.high < rough.high


def test_points_that_no_power_law_fits_get_no_size():
    points = [Point(n, seed, 0.9 if n == 640 else 0.55) for n in SIZES for seed in range(3)]
    found = reach(points, error=PEOPLE, n_test=N_TEST)
    assert (found.fits, found.size, found.low, found.high) == (False, None, None, None)


def test_without_several_seeds_there_is_no_interval():
    law = REACHED["beyond"]
    found = reach(measured(law, np.random.default_rng(2), seeds=1), error=PEOPLE, n_test=N_TEST)
    assert found.fits
    assert (found.low, found.high) == (None, None)
    assert not found.is_within_measured


def test_fewer_than_three_sizes_give_no_law():
    points = [Point(0, 0, 0.5), Point(100, 0, 0.6), Point(100, 1, 0.6), Point(400, 0, 0.7)]
    found = reach([*points, Point(900, 0, None)], error=PEOPLE, n_test=N_TEST)
    assert (found.law, found.fits, found.low, found.high) == (None, False, None, None)
    assert (found.smallest, found.largest) == (100, 400)
    assert reach([], error=PEOPLE, n_test=N_TEST).largest is None


def test_a_group_score_may_start_below_chance():
    law = PowerLaw(start=0.9, floor=0.05, onset=500, exponent=0.5)
    points = measured(law, np.random.default_rng(3))
    starts = [0.75, 0.8, 0.85, 0.9, 0.95, 1]
    found = reach(points, error=0.3, n_test=N_TEST, starts=starts)
    assert found.fits
    assert found.low < law.size_at(0.3) < found.high
    assert not reach(points, error=0.3, n_test=N_TEST, starts=[0.5]).fits


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"error": 0}, "error must be between 0 and 1, got 0"),
        ({"error": 1.2}, "error must be between 0 and 1, got 1.2"),
        ({"error_sd": -1}, "error_sd must be at least 0, got -1"),
        ({"n_test": 0}, "n_test must be at least 1, got 0"),
        ({"starts": []}, "starts must be above 0"),
        ({"starts": [0]}, "starts must be above 0"),
    ],
)
def test_misuse_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        reach([], **{"error": PEOPLE, "n_test": N_TEST, **options})
