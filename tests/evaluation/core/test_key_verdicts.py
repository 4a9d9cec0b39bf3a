"""What an audit of keys says in sentences."""

from typing import Any

from evaluation.core.key_verdicts import verdict


def result(n_systems: int) -> dict[str, Any]:
    return {
        "n_questions": 100, "n_suspected": 4, "power": 0.7, "can_tell": True, "needed": [],
        "systems": [{"weight": 0.9}] * n_systems,
    }  # fmt: skip


def test_suspicions_of_few_systems_are_more_often_wrong() -> None:
    assert "with fewer than 15 independent systems it was 20%" in verdict(result(10))


def test_suspicions_of_many_systems_are_as_the_model_says() -> None:
    said = verdict(result(20))
    assert "about 10% at most are expected to be right, if the model fits: people" in said
