"""What a person who only guesses gets right in an exercise, exactly."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

LEVEL = Fraction(1, 20)


def chance_of_guessing(n_right: int, choices: Sequence[int]) -> Fraction:
    """Return the chance to get *n_right* items or more right by guessing.

    Each item is guessed for itself, each of its choices as likely as the others: the number right
    has a Poisson binomial distribution, the binomial one where all items have as many choices.

    Parameters
    ----------
    n_right
        From 0; more than there are items has no chance.
    choices : (n_items,)
        How many choices each item has, from 1.

    Examples
    --------
    >>> chance_of_guessing(4, [3, 3, 3, 3, 3])
    Fraction(11, 243)
    """
    by_number = [Fraction(1)]  # the chance of each number right, of the items so far
    for n in choices:
        right, missed = Fraction(1, n), 1 - Fraction(1, n)
        grown = [chance * missed for chance in by_number] + [Fraction(0)]
        for number, chance in enumerate(by_number):
            grown[number + 1] += chance * right
        by_number = grown
    return sum(by_number[max(0, n_right) :], Fraction(0))


def least_beyond_guessing(choices: Sequence[int], *, level: Fraction = LEVEL) -> int:
    """Return the least number right that guessing reaches with a chance of *level* at most.

    One more than there are items where even all of them right are within a guesser's reach.

    Examples
    --------
    >>> least_beyond_guessing([3, 3, 3, 3, 3]), least_beyond_guessing([2, 2, 2])
    (4, 4)
    """
    numbers = range(len(choices) + 1)
    return next((n for n in numbers if chance_of_guessing(n, choices) <= level), len(choices) + 1)


def least_paid(choices: Sequence[int], *, pass_share: Decimal) -> int:
    """Return the least number right that an exercise pays: what passes, or what no guesser reaches.

    Examples
    --------
    >>> least_paid([2] * 10, pass_share=Decimal("0.80"))
    8
    >>> least_paid([3] * 10, pass_share=Decimal("0.80"))
    7
    """
    passes = int((pass_share * len(choices)).to_integral_value(ROUND_CEILING))
    return min(passes, least_beyond_guessing(choices))
