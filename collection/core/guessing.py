"""Exact probabilities of right answers by guessing in an exercise."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

LEVEL = Fraction(1, 20)


def chance_of_guessing(n_right: int, choices: Sequence[int]) -> Fraction:
    """Return the probability of at least *n_right* right items by guessing.

    Items are guessed independently and choices are equally likely: the number right has a Poisson
    binomial distribution, which is binomial if all items have the same number of choices.

    Parameters
    ----------
    n_right
        From 0; the probability is 0 for more than there are items.
    choices : (n_items,)
        Number of choices of each item, at least 1.

    Examples
    --------
    >>> chance_of_guessing(4, [3, 3, 3, 3, 3])
    Fraction(11, 243)
    """
    by_number = [Fraction(1)]  # probability of each number right among the items so far
    for n in choices:
        right, missed = Fraction(1, n), 1 - Fraction(1, n)
        grown = [chance * missed for chance in by_number] + [Fraction(0)]
        for number, chance in enumerate(by_number):
            grown[number + 1] += chance * right
        by_number = grown
    return sum(by_number[max(0, n_right) :], Fraction(0))


def least_beyond_guessing(choices: Sequence[int], *, level: Fraction = LEVEL) -> int:
    """Return the smallest number right that guessing reaches with probability *level* at most.

    It is one more than the number of items if guessing all of them right is more likely than that.

    Examples
    --------
    >>> least_beyond_guessing([3, 3, 3, 3, 3]), least_beyond_guessing([2, 2, 2])
    (4, 4)
    """
    numbers = range(len(choices) + 1)
    return next((n for n in numbers if chance_of_guessing(n, choices) <= level), len(choices) + 1)


def least_paid(choices: Sequence[int], *, pass_share: Decimal) -> int:
    """Return the smallest paid number right: enough to pass, or beyond guessing.

    Examples
    --------
    >>> least_paid([2] * 10, pass_share=Decimal("0.80"))
    8
    >>> least_paid([3] * 10, pass_share=Decimal("0.80"))
    7
    """
    passes = int((pass_share * len(choices)).to_integral_value(ROUND_CEILING))
    return min(passes, least_beyond_guessing(choices))
