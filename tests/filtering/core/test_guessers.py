"""The classifiers of the first phase, and what they say of questions they have not seen."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filtering.core.aflite import AFLite
from filtering.core.guess_rules import guesses_pair, is_whole, text_fingerprint
from filtering.core.guessers import count_right, first_members
from filtering.core.parts import PhaseKeys
from filtering.core.table import Table, Units

RNG = np.random.default_rng(5)
Y = np.tile([1, 2], 60)
X = (RNG.normal(size=(120, 5)) + 3).astype(np.float32)
X[::3, 0] += 4.0 * (2 * Y[::3] - 3)
IDS = [f"q{i}" for i in range(120)]
TWINS = [f"t{i // 2}" for i in range(120)]
TEXT: dict[str, Any] = {
    "sentences": ("The cup is on _ now.", "The cup is under _ now."),
    "options": ("table", "chair"),
    "answers": (1, 2),
}


@pytest.mark.parametrize("partition", ["individual", "grouped"])
def test_they_are_the_classifiers_that_the_phase_had(partition: Any) -> None:
    aflite = AFLite(stop="published", n=9, m=50, k=10, seed=2, partition=partition)
    first = next(aflite.steps(X, Y, groups=TWINS, ids=IDS))
    members = first_members(aflite, X, Y, groups=TWINS, ids=IDS)
    table = Table.of(X, Y, groups=TWINS, ids=IDS)
    keys = PhaseKeys.of(seed=2, phase=1, n=9)
    unseen = ~aflite.rules(len(Y)).parts(
        table.keys, keys, Units.of(table.group_keys)
    )  # (n_rows, n), by key
    says_second = X @ members[:, :-1].T + members[:, -1] > 0
    right = says_second == (Y == 2)[:, None]
    correct = (right[table.position] & unseen).sum(axis=1)
    np.testing.assert_array_equal(correct[np.argsort(table.position)], first.correct)


def test_a_new_row_is_scored_by_all_of_them() -> None:
    members = first_members(AFLite(n=9, m=50, k=10), X, Y)
    given_away = np.array([[9, 3, 3, 3, 3], [-3, 3, 3, 3, 3]], dtype=np.float32)
    assert count_right(members, given_away, [2, 1]).tolist() == [9, 9]
    assert count_right(members, given_away, [1, 2]).tolist() == [0, 0]


def test_without_a_phase_there_are_no_classifiers() -> None:
    assert first_members(AFLite(n=9, m=120), X, Y).shape == (0, 6)


def test_a_part_with_one_class_predicts_that_class() -> None:
    y = np.array([1] * 119 + [2])
    members = first_members(AFLite(n=3, m=2, seed=1), X, y)
    assert count_right(members, X[:1], [1]).tolist() == [3]


@pytest.mark.parametrize(
    ("right", "tau", "guessed"),
    [((11, 20), 0.55, True), ((10, 20), 0.5, False), ((20, 14), 0.75, False), ((0, 0), 0, False)],
)
def test_a_pair_is_guessed_from_tau_on_if_more_than_half_are_right(
    right: tuple[int, int], tau: float, guessed: bool
) -> None:
    assert guesses_pair(right, n=20, tau=tau) is guessed


@pytest.mark.parametrize(
    "changes",
    [
        {"sentences": ("The cup is on _ now.", "")},
        {"sentences": ("The cup is on _ now.", "No blank.")},
        {"sentences": ("The cup is on _ now.", "Two _ blanks _.")},
        {"sentences": ("The cup is on _ now.", "Null \x00 and _.")},
        {"options": ("table", " ")},
        {"options": ("table", "\ud800")},
        {"answers": (1, 0)},
    ],
)
def test_half_a_twin_is_not_asked_for(changes: dict[str, Any]) -> None:
    assert is_whole(**TEXT)
    assert not is_whole(**(TEXT | changes))


@given(st.text(), st.text())
def test_any_text_has_a_name(first: str, second: str) -> None:
    named = text_fingerprint((first, second), ("a", "b"), (1, 2))
    assert len(named) == 64
    assert is_whole((first, second), ("a", "b"), (1, 2)) in (True, False)


def test_gaps_do_not_make_another_text_and_everything_else_does() -> None:
    name = text_fingerprint(**TEXT)
    wide = {"sentences": tuple(f" {s.replace(' ', '  ')}" for s in TEXT["sentences"])}
    assert text_fingerprint(**(TEXT | wide)) == name
    for other in (
        {"answers": (2, 1)},
        {"options": ("chair", "table")},
        {"sentences": TEXT["sentences"][::-1]},
        {"sentences": ("THE cup is on _ now.", TEXT["sentences"][1])},
    ):
        assert text_fingerprint(**(TEXT | other)) != name
