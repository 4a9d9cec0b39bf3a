"""Negation-only triggers."""

import pytest

from collection.core.advice.polarity import negation_findings, negations_apart
from collection.core.triggers import trigger_diff


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("was", "wasn't"),
        ("was", "was not"),
        ("fits", "does not fit"),
        ("fits.", "doesn't fit."),
        ("burned", "didn\u2019t burn"),
        ("stopped", "did not stop"),
        ("tried", "never tried"),
        ("can", "cannot"),
        ("will", "won't"),
        ("had some", "did not have any"),
        ("had", "had no"),
    ],
)
def test_a_negation_alone_is_found_either_way_round(first: str, second: str) -> None:
    assert negations_apart(first.split(), second.split()) == 1
    assert negations_apart(second.split(), first.split()) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("large", "small"),
        ("happy", "unhappy"),
        ("always", "never"),
        ("not large", "not small"),
        ("fits", "does not break"),
        ("was large", "was not small"),
        ("", ""),
    ],
)
def test_any_other_difference_is_none(first: str, second: str) -> None:
    assert negations_apart(first.split(), second.split()) == 0


def test_the_finding_quotes_the_negation_with_its_number() -> None:
    [finding] = negation_findings(trigger_diff("the _ was dry", "the _ was not dry"))
    assert (finding.code, finding.value, finding.example) == ("trigger_negation", 1.0, "not")
    assert "“not”" in finding.message
