"""What guessing gets right, against counting every way to answer and against simulations."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from collection.core.examples import chance_of_guessing, least_beyond_guessing, least_paid

SHARE = Decimal("0.80")


@pytest.mark.parametrize("choices", [[2], [3, 3], [2, 3, 4], [2, 2, 5, 3], []], ids=str)
def test_the_chance_is_that_of_counting_every_way_to_answer(choices: list[int]) -> None:
    ways = list(product(*[range(n) for n in choices]))
    for least in range(len(choices) + 2):
        n = sum(sum(answer == 0 for answer in way) >= least for way in ways)
        assert chance_of_guessing(least, choices) == Fraction(n, len(ways))


@pytest.mark.parametrize("n_choices", [2, 3, 4])
@pytest.mark.parametrize("n_items", range(1, 13))
def test_what_is_paid_is_the_least_that_guessing_does_not_explain(
    n_items: int, n_choices: int
) -> None:
    choices = [n_choices] * n_items
    least = least_beyond_guessing(choices)
    assert chance_of_guessing(least, choices) <= Fraction(1, 20)
    assert chance_of_guessing(least - 1, choices) > Fraction(1, 20)


@pytest.mark.parametrize("n_items", [5, 8, 12])
def test_random_clickers_are_rarely_paid_and_honest_workers_nearly_always(n_items: int) -> None:
    """Items of three choices, one attempt, 100,000 people of each kind."""
    rng = np.random.default_rng(13)
    least = least_paid([3] * n_items, pass_share=SHARE)
    clicking = (rng.random((100_000, n_items)) < 1 / 3).sum(axis=1) >= least
    honest = (rng.random((100_000, n_items)) < 0.9).sum(axis=1) >= least
    assert clicking.mean() <= 0.055
    assert honest.mean() >= 0.9


def test_who_passes_is_paid_though_a_guesser_might() -> None:
    assert least_paid([2, 2, 2], pass_share=SHARE) == 3
    assert least_paid([3] * 5, pass_share=Decimal("0.20")) == 1
