"""Fresh models under cross-validation: they find what is planted, and nothing in clean data."""

from dataclasses import astuple

import numpy as np
import pytest

from filtering.core import probes
from filtering.core.probes import Leak, Probe, probe
from stats.intervals import NOTHING, wilson
from tests.filtering.core.planted import planted, twins


def probed(kind: str, x: np.ndarray, y: np.ndarray, **changes: object) -> Probe:
    names = [f"q{i}" for i in range(len(y))]
    return probe(kind, x, y, **{"ids": names, "twins": names, "seed": 0, **changes})


@pytest.mark.parametrize("kind", ["linear", "nonlinear"])
def test_a_planted_leak_is_found(kind: str) -> None:
    x, y, _ = planted(n_leaky=300, n_clean=300)
    found = Leak.of(probed(kind, x, y).grouped)
    assert found.direction == "above"
    assert found.low > 0.1


@pytest.mark.parametrize("kind", ["linear", "nonlinear"])
def test_clean_data_shows_none(kind: str) -> None:
    x, y, _ = planted(n_leaky=0, n_clean=1000, seed=2)
    found = probed(kind, x, y)
    assert Leak.of(found.grouped).direction == Leak.of(found.individual).direction == "none"


def test_only_the_non_linear_model_finds_a_product_of_two_features() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2000, 6)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] > 0).astype(int)
    assert Leak.of(probed("linear", x, y).grouped).high < 0.08
    assert Leak.of(probed("nonlinear", x, y).grouped).low > 0.15


@pytest.mark.parametrize("kind", ["linear", "nonlinear"])
def test_with_its_twin_among_the_examples_a_question_falls_below_chance(kind: str) -> None:
    x, y, groups = twins(n_pairs=200, d=30)
    found = probed(kind, x, y, twins=groups)
    assert Leak.of(found.individual).direction == "below"
    assert Leak.of(found.grouped).direction == "none"


@pytest.mark.parametrize("kind", ["linear", "nonlinear"])
def test_the_order_of_the_rows_plays_no_part(kind: str) -> None:
    x, y, _ = planted(n_leaky=60, n_clean=90)
    names, order = [f"q{i}" for i in range(150)], np.random.default_rng(1).permutation(150)
    moved = [names[i] for i in order]
    assert probed(kind, x[order], y[order], ids=moved, twins=moved) == probed(kind, x, y)


def test_only_the_rows_named_are_learned_from_and_predicted() -> None:
    x, y, leaky = planted(n_leaky=150, n_clean=350)
    found = probed("linear", x, y, among=leaky)
    assert (found.grouped.n, found.grouped.value) == (150, pytest.approx(1, abs=0.02))


@pytest.mark.parametrize("kind", ["linear", "nonlinear"])
def test_one_answer_alone_is_always_guessed(kind: str) -> None:
    found = probed(kind, np.eye(40, dtype=np.float32), np.ones(40, dtype=int))
    assert found.grouped.value == 1


def test_a_handful_of_twins_tells_nothing() -> None:
    x, y, groups = twins(n_pairs=19)
    assert astuple(probed("linear", x, y, twins=groups)) == (astuple(NOTHING),) * 4


def noise(seed: int, *, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Features that tell nothing of balanced labels."""
    x = np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)
    return x, np.arange(n) % 2


@pytest.mark.long
def test_in_noise_a_direction_is_seen_in_hardly_more_sets_than_the_intervals_say() -> None:
    found = [probed("linear", *noise(seed, n=200, d=5), seed=seed).grouped for seed in range(100)]
    assert sum(Leak.of(each).direction != "none" for each in found) <= 8


def test_what_tells_nothing_of_balanced_labels_is_not_pushed_below_chance() -> None:
    # A model of nothing follows its examples' majority, and that is the test part's minority.
    names = [f"t{i // 2}" for i in range(200)]
    found = probed("linear", np.zeros((200, 1)), np.arange(200) % 2, twins=names)
    assert (found.grouped.value, found.individual.value) == (0.5, 0.5)


@pytest.mark.parametrize("kind", ["linear", "nonlinear"])
def test_any_seed_of_the_database_will_do(kind: str) -> None:
    x, y, _ = planted(n_leaky=20, n_clean=20)
    assert probed(kind, x, y, seed=2**63 - 1).grouped.n == 40


def test_of_a_large_set_the_perceptron_learns_from_a_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y, _ = planted(n_leaky=400, n_clean=0)
    whole = probed("nonlinear", x, y)
    monkeypatch.setattr(probes, "MOST_LEARNED", 100)
    assert probed("nonlinear", x, y).grouped.value > 0.9
    monkeypatch.setattr(probes, "MOST_LEARNED", 2)
    assert probed("nonlinear", x, y).grouped.value < whole.grouped.value


def test_a_leak_is_the_distance_from_one_half_in_either_direction() -> None:
    below, above, none = (Leak.of(wilson(hits, 1000)) for hits in (400, 600, 510))
    assert (below.value, below.low) == pytest.approx((above.value, above.low))
    assert (below.direction, above.direction) == ("below", "above")
    assert (none.low, none.direction) == (0.0, "none")
    assert Leak.of(NOTHING).value is None
