"""What the simulated validators of the starter campaign answer.

Pure functions: every choice is drawn from the seed and the names given, so that a campaign which
was interrupted goes on with the same votes.
"""

import math
from dataclasses import dataclass
from random import Random

FLAWS = (None, "ambiguous", "associative", "wrong")

# How far the time of single votes spreads around the median (standard deviation of the logarithm).
SPREAD = 0.35
# Somebody who does not read is faster by this factor.
HURRY = 0.3
# The share of those who do not read that pretend to know the answer from the local context.
PRETENDS = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Validator:
    """A simulated validator; all but `name` and `seconds` are probabilities.

    Parameters
    ----------
    name : str
        Also the key of the validator's own stream of random numbers.
    skill : float
        Choosing the right option of an unambiguous question.
    spots_ambiguity : float
        Calling an ambiguous question ambiguous.
    local_guess : float
        Finding the answer of a good question from the local context, instead of "cannot tell".
    careless : float
        Answering a question without reading it.
    seconds : float
        Median time per vote.

    Raises
    ------
    ValueError
        If a probability is outside [0, 1] or `seconds` is not positive and finite.
    """

    name: str
    skill: float
    spots_ambiguity: float
    local_guess: float
    careless: float
    seconds: float

    def __post_init__(self) -> None:
        for field in ("skill", "spots_ambiguity", "local_guess", "careless"):
            value = getattr(self, field)
            if not 0 <= value <= 1:
                raise ValueError(f"{field} must be between 0 and 1, got {value!r}")
        if not (math.isfinite(self.seconds) and self.seconds > 0):
            raise ValueError(f"seconds must be positive, got {self.seconds!r}")


@dataclass(frozen=True, slots=True)
class SimulatedVote:
    """One vote: the option (1 or 2), whether it was ambiguous, and the answer found from the local
    context alone (None for "cannot tell")."""

    option: int
    ambiguous: bool
    local_option: int | None
    seconds: float


def validate(
    validator: Validator, *, question: str, flaw: str | None, answer: int, seed: int
) -> SimulatedVote:
    """Say how a validator votes on a question.

    Parameters
    ----------
    validator : Validator
    question : str
        Any stable name of the question; the same name gives the same vote.
    flaw : str | None
        The flaw of the question: one of `FLAWS`.
    answer : int
        The author's answer, 1 or 2. On the flaw "wrong" the right answer is the other one.
    seed : int
        Of the campaign.

    Returns
    -------
    SimulatedVote
        On "ambiguous" questions the option is a coin toss; on "associative" ones the local context
        gives the right answer away to whoever has the skill to see it.

    Raises
    ------
    ValueError
        If `flaw` or `answer` is none of these.
    """
    if flaw not in FLAWS:
        raise ValueError(f"flaw must be one of {FLAWS}, got {flaw!r}")
    if answer not in (1, 2):
        raise ValueError(f"answer must be 1 or 2, got {answer!r}")
    # A text seeds Random by its SHA-512: the same in every process, whatever PYTHONHASHSEED is.
    random = Random(f"{seed}/{validator.name}/{question}")
    seconds = round(validator.seconds * math.exp(random.gauss(0, SPREAD)), 1)
    if random.random() < validator.careless:
        return _without_reading(random, seconds)
    right = 3 - answer if flaw == "wrong" else answer
    return SimulatedVote(
        option=_option(validator, flaw, right, random),
        ambiguous=random.random() < _doubt(validator, flaw),
        local_option=_local_option(validator, flaw, right, random),
        seconds=seconds,
    )


def _without_reading(random: Random, seconds: float) -> SimulatedVote:
    option = random.choice((1, 2))
    local_option = option if random.random() < PRETENDS else None
    return SimulatedVote(option, False, local_option, round(HURRY * seconds, 1))


def _option(validator: Validator, flaw: str | None, right: int, random: Random) -> int:
    chance = 0.5 if flaw == "ambiguous" else validator.skill
    return right if random.random() < chance else 3 - right


def _doubt(validator: Validator, flaw: str | None) -> float:
    """The probability of calling the question ambiguous; the less able also doubt clear ones."""
    return validator.spots_ambiguity if flaw == "ambiguous" else 1 - validator.skill


def _local_option(validator: Validator, flaw: str | None, right: int, random: Random) -> int | None:
    """What the local context alone tells; on good questions a guess is right in two of three."""
    draw = random.random()
    if flaw == "associative":
        return right if draw < validator.skill else None
    if draw < validator.local_guess:
        return right
    return 3 - right if draw < 1.5 * validator.local_guess else None


# Median time of writing a twin, and how far single twins spread around it.
WRITING_SECONDS, WRITING_SPREAD = 170, 0.4


def writing_seconds(twin: str, *, seed: int) -> int:
    """Say how long a simulated author writes on the twin of that name."""
    random = Random(f"{seed}/writing/{twin}")
    return round(WRITING_SECONDS * math.exp(random.gauss(0, WRITING_SPREAD)))
