"""Good and bad examples for new writers and validators, each with its answer and the reason."""

from dataclasses import dataclass


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
