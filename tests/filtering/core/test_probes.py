"""Fresh models under cross-validation: they find what is planted, and nothing in clean data."""

import numpy as np
import pytest

from filtering.core import probes
from filtering.core.probes import Probe, probe
from tests.filtering.core.planted import planted, twins

KINDS = ["linear", pytest.param("nonlinear", marks=pytest.mark.long)]


def probed(kind: str, x: np.ndarray, y: np.ndarray, **changes: object) -> Probe:
    names = [f"q{i}" for i in range(len(y))]
    return probe(kind, x, y, **{"ids": names, "twins": names, "seed": 0, **changes})


@pytest.mark.long
@pytest.mark.parametrize("kind", ["linear", "nonlinear"])
def test_a_planted_leak_is_found(kind: str) -> None:
    x, y, _ = planted(n_leaky=300, n_clean=300)
    found = probed(kind, x, y).grouped
    assert found.direction == "above"
    assert found.accuracy.low > 0.6


@pytest.mark.parametrize("kind", KINDS)
def test_clean_data_shows_none(kind: str) -> None:
    x, y, _ = planted(n_leaky=0, n_clean=1000, seed=2)
    found = probed(kind, x, y).grouped
    assert found.direction == "none"
    assert found.detectable > 0.53


@pytest.mark.long
def test_only_the_non_linear_model_finds_a_product_of_two_features() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2000, 6)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] > 0).astype(int)
    assert probed("linear", x, y).grouped.direction == "none"
    assert probed("nonlinear", x, y).grouped.accuracy.low > 0.65


@pytest.mark.parametrize("kind", KINDS)
def test_with_its_twin_among_the_examples_a_question_falls_below_chance(kind: str) -> None:
    x, y, groups = twins(n_pairs=200, d=30)
    found = probed(kind, x, y, twins=groups)
    assert found.individual.high < 0.5
    assert found.grouped.direction == "none"


@pytest.mark.parametrize("kind", ["linear", "nonlinear"])
@pytest.mark.long
def test_the_order_of_the_rows_plays_no_part(kind: str) -> None:
    x, y, _ = planted(n_leaky=60, n_clean=150)
    names, order = [f"q{i}" for i in range(210)], np.random.default_rng(1).permutation(210)
    moved = [names[i] for i in order]
    assert probed(kind, x[order], y[order], ids=moved, twins=moved) == probed(kind, x, y)


def test_only_the_rows_named_are_learned_from_and_predicted() -> None:
    x, y, leaky = planted(n_leaky=210, n_clean=290)
    found = probed("linear", x, y, among=leaky)
    accuracy = found.grouped.accuracy
    assert (accuracy.n, accuracy.value) == (210, pytest.approx(1, abs=0.02))


def test_what_tells_nothing_of_balanced_labels_is_not_pushed_below_chance() -> None:
    # A model of nothing follows its examples' majority, and that is the test part's minority.
    names = [f"t{i // 2}" for i in range(200)]
    found = probed("linear", np.zeros((200, 1)), np.arange(200) % 2, twins=names)
    assert (found.grouped.accuracy.value, found.individual.value) == (0.5, 0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_any_seed_of_the_database_will_do(kind: str) -> None:
    x, y, _ = planted(n_leaky=100, n_clean=100)
    assert probed(kind, x, y, seed=2**63 - 1).grouped.direction == "above"


@pytest.mark.long
def test_of_a_large_set_the_perceptron_learns_from_a_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y, _ = planted(n_leaky=400, n_clean=0)
    whole = probed("nonlinear", x, y)
    monkeypatch.setattr(probes, "MOST_LEARNED", 100)
    assert probed("nonlinear", x, y).grouped.accuracy.value > 0.9
    monkeypatch.setattr(probes, "MOST_LEARNED", 2)
    assert probed("nonlinear", x, y).grouped.accuracy.value < whole.grouped.accuracy.value
