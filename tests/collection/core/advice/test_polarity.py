"""Polarity, on the paper's own examples (AAAI 2020, Table 2)."""

import pytest

from collection.core.advice.polarity import Polarity, compound, polarity, polarity_findings

MONKEY = "The monkey loved to play with the balls but ignored the blocks because he found _ {}."
ROBERT = "Robert woke at 9:00am while Samuel woke at 6:00am, so _ had {} time to get ready."
BALLS = ("balls", "blocks")


def twins(text: str, first: str, second: str) -> tuple[str, str]:
    return text.format(first), text.format(second)


def test_the_twins_that_the_paper_marks_are_found() -> None:
    [finding] = polarity_findings(twins(MONKEY, "exciting", "dull"), BALLS, (1, 2))
    assert finding.code == "polarity_association"
    assert finding.value is not None
    assert 0 < finding.value <= 1
    assert finding.example == "balls (+) / blocks (−)"


def test_the_twins_that_the_paper_keeps_are_not() -> None:
    assert not list(polarity_findings(twins(ROBERT, "less", "more"), ("Robert", "Samuel"), (1, 2)))


def test_feelings_that_point_to_the_wrong_answers_are_welcome() -> None:
    assert not list(polarity_findings(twins(MONKEY, "exciting", "dull"), BALLS, (2, 1)))


@pytest.mark.parametrize("answers", [(0, 0), (1, 1), (1, 0)])
def test_answers_that_are_not_opposite_get_no_advice(answers: tuple[int, int]) -> None:
    assert not list(polarity_findings(twins(MONKEY, "exciting", "dull"), BALLS, answers))


def test_each_option_is_felt_in_its_own_clause() -> None:
    felt = polarity(MONKEY.format("exciting"), BALLS)
    assert felt is not None
    assert felt.options == (
        compound("the monkey loved to play with the balls "),
        compound(" ignored the blocks "),
    )
    assert felt.window == compound("he found it exciting.") == compound("exciting")


def test_options_in_one_clause_are_felt_by_their_own_words() -> None:
    felt = polarity(
        "The happy winner met the angry loser there because _ was glad.", ("winner", "loser")
    )
    assert felt is not None
    assert felt.options == (compound("winner"), compound("loser"))


def test_the_weaker_signal_counts_and_faint_ones_are_none() -> None:
    assert Polarity(0.5, (0.9, 0.1)).leaning() == 0.5
    assert Polarity(-0.5, (0.4, 0.1)).leaning() == pytest.approx(-0.3)
    assert Polarity(0.1, (0.9, 0.1)).leaning() == 0.0
    assert Polarity(0.9, (0.15, 0.1)).leaning() == 0.0


def test_a_sentence_that_names_an_option_only_after_the_blank_is_not_scored() -> None:
    assert polarity("The lamp fell and _ broke the shelf.", ("lamp", "shelf")) is None
    assert polarity("The lamp hit the shelf.", ("lamp", "shelf")) is None
