"""The training size at which people's level is reached, with known truths in and outside laws."""

from math import inf

import numpy as np
import pytest

from benchmarks.coverage_models import CURVES, PEOPLE, SIZES, cover, measured, size_of
from training.core.curves import Point
from training.core.reach import FARTHEST, reach

N_TEST = 1267


@pytest.mark.long
@pytest.mark.parametrize("name", ["power, within", "line, beyond", "two stages, inside", "plateau"])
def test_the_size_is_in_the_interval_whatever_the_curve(name: str) -> None:
    found = cover(CURVES[name], times=12)
    assert found.any_curve >= 11 / 12
    assert found.by_laws >= 11 / 12  # or nothing is extrapolated


@pytest.mark.long
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("sizes", [SIZES, SIZES[:4]])
@pytest.mark.parametrize("name", CURVES)
def test_the_intervals_contain_the_truth_in_95_of_100_simulations(name, sizes, shared) -> None:
    found = cover(CURVES[name], times=200, sizes=sizes, shared=shared)
    assert found.any_curve >= 0.92  # 0.95 less two standard errors of 200 simulations
    # Nothing can show a stage that begins after the largest size; the page says so.
    if name != "second stage, unseen":
        assert found.by_laws >= 0.92
    if name.startswith(("power", "logistic", "line,")):
        assert found.refused <= 0.05


def test_two_stages_within_the_sizes_measured_are_no_law() -> None:
    assert cover(CURVES["two stages, inside"], times=12).refused >= 0.8


def test_a_level_that_is_never_reached_gets_no_upper_end() -> None:
    for name in ("flat", "plateau"):
        found = reach(points(CURVES[name]), error=PEOPLE, n_test=N_TEST)
        assert (found.low, found.high) == (SIZES[-1], None)
        assert found.by_laws is not None
        assert found.by_laws.high is None


def points(curve, seed=0, **options):
    return measured(curve, np.random.default_rng(seed), **options)


def test_nothing_is_said_beyond_twice_the_largest_size() -> None:
    for seed in range(5):
        found = reach(points(CURVES["power, beyond"], seed), error=PEOPLE, n_test=N_TEST).by_laws
        assert found is not None
        assert found.low is None or found.low <= FARTHEST * SIZES[-1]
        assert found.high is None or found.high <= FARTHEST * SIZES[-1]


def test_the_published_curve_does_not_reach_people_within_what_was_measured() -> None:
    """WinoGrande's Table 4 on test; the paper says over 118,000 training questions."""
    curve = [(160, 0.504), (640, 0.586), (2558, 0.676), (10234, 0.747), (40398, 0.791)]
    given = [Point(n, seed, x + 0.01 * seed) for n, x in curve for seed in (-1, 0, 1)]
    found = reach(given, error=PEOPLE, n_test=1767)
    assert (found.low, found.high) == (40398, None)
    assert found.by_laws is not None
    assert (found.by_laws.low, found.by_laws.high) == (2 * 40398, None)
    assert "power" in found.by_laws.names


def test_the_interval_ends_at_sizes_that_were_measured() -> None:
    curve = CURVES["power, within"]
    found = reach(points(curve), error=0.15, n_test=N_TEST)
    assert found.low in SIZES
    assert found.high in SIZES
    assert found.low < size_of(curve, 0.15) <= found.high


def test_an_uncertain_level_widens_the_interval() -> None:
    given = points(CURVES["power, within"], 4)
    exact, rough = (
        reach(given, error=0.15, n_test=N_TEST, error_sd=sd).by_laws for sd in (0.0, 0.02)
    )
    assert exact is not None
    assert rough is not None
    assert rough.low < exact.low
    assert (rough.high or inf) > (exact.high or inf) or rough.high is None


def test_points_that_no_law_fits_get_no_extrapolation() -> None:
    given = [
        Point(n, seed, (0.9 if n == 640 else 0.55) + 0.001 * seed)
        for n in SIZES
        for seed in range(3)
    ]
    found = reach(given, error=PEOPLE, n_test=N_TEST)
    assert found.by_laws is not None
    assert (found.by_laws.names, found.by_laws.low, found.by_laws.high) == ((), None, None)
    assert (found.low, found.high) == (SIZES[-1], None)


def test_without_several_seeds_there_is_no_interval() -> None:
    found = reach(points(CURVES["power, beyond"], seeds=1), error=PEOPLE, n_test=N_TEST)
    assert (found.low, found.high, found.by_laws) == (None, None, None)


def test_fewer_than_three_sizes_give_no_law() -> None:
    given = [Point(0, 0, 0.5), Point(100, 0, 0.6), Point(100, 1, 0.6), Point(400, 0, 0.7)]
    found = reach([*given, Point(900, 0, None)], error=PEOPLE, n_test=N_TEST)
    assert (found.low, found.high, found.by_laws) == (400, None, None)
    assert (found.smallest, found.largest) == (100, 400)
    assert reach([], error=PEOPLE, n_test=N_TEST).largest is None


def test_a_group_score_may_start_below_chance() -> None:
    def curve(n: float) -> float:
        return 0.05 + 0.85 * (1 + n / 500) ** -0.5

    given = points(curve, 3)
    starts = [0.75, 0.8, 0.85, 0.9, 0.95, 1]
    found = reach(given, error=0.3, n_test=N_TEST, starts=starts).by_laws
    assert found is not None
    assert found.low < size_of(curve, 0.3) < found.high
    by_half = reach(given, error=0.3, n_test=N_TEST, starts=[0.5]).by_laws
    assert by_half is not None
    assert by_half.names == ()


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
def test_misuse_is_refused(options, message) -> None:
    with pytest.raises(ValueError, match=message):
        reach([], **{"error": PEOPLE, "n_test": N_TEST, **options})
