"""Examples of guidelines and items of exercises, and how likely guessing passes one."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Example:
    """A twin, written once: *before*, the blank, *middle*, one of two *triggers*, *after*.

    ``answers`` are the words for the blank in either sentence; empty if no answer is right.
    """

    is_good: bool
    title: str
    before: str
    middle: str
    triggers: tuple[str, str]
    after: str
    options: tuple[str, str]
    answers: tuple[str, ...]
    anchor: str
    why: str

    @property
    def sentences(self) -> tuple[str, str]:
        first, second = (
            f"{self.before} _ {self.middle} {trigger}{self.after}" for trigger in self.triggers
        )
        return first, second

    @property
    def before_anchor(self) -> str:
        return self.before.partition(self.anchor)[0]

    @property
    def after_anchor(self) -> str:
        return self.before.partition(self.anchor)[2]

    @property
    def sides(self) -> tuple[tuple[str, str], ...]:
        """Each trigger with its answer; an answer that nothing tells is empty."""
        answers = self.answers or ("", "")
        return tuple(zip(self.triggers, answers, strict=True))


GOOD = Example(
    is_good=True,
    title="Good",
    before="At the picnic the soup stayed warmer in the flask than the jar, because the",
    middle="had a",
    triggers=("tight", "loose"),
    after=" lid.",
    options=("flask", "jar"),
    answers=("flask", "jar"),
    anchor="picnic",
    why="Only the situation tells.",
)
GIVEN_AWAY = Example(
    is_good=False,
    title="Given away",
    before="In the garage stood a kettle and a freezer, and the",
    middle="was full of",
    triggers=("steam", "ice"),
    after=".",
    options=("kettle", "freezer"),
    answers=("kettle", "freezer"),
    anchor="garage",
    why="Steam goes with a kettle.",
)
AMBIGUOUS = Example(
    is_good=False,
    title="Ambiguous",
    before="After the lesson Rosa met Lucia at the bus stop, and",
    middle="was in a",
    triggers=("good", "bad"),
    after=" mood.",
    options=("Rosa", "Lucia"),
    answers=(),
    anchor="lesson",
    why="Nothing says whose mood it was.",
)
OF_TWINS = (GOOD, GIVEN_AWAY, AMBIGUOUS)


@dataclass(frozen=True, slots=True)
class QuestionExample:
    """One question of a twin, with what a validator should answer in each step."""

    example: Example
    side: int
    from_words: str
    answer: str
    is_ambiguous: bool
    why: str

    @property
    def trigger(self) -> str:
        return self.example.triggers[self.side]


CANNOT_TELL = "Cannot tell"
# What is ambiguous, and what is given away, the training explains.
OF_QUESTIONS = (QuestionExample(GOOD, 1, CANNOT_TELL, "jar", False, "Only the soup tells."),)


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
