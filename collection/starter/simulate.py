"""Simulated validators of the starter campaign.

Pure functions: every choice is drawn from the seed and the names given, so that an interrupted load
continues with the same votes.
"""

import math
from dataclasses import dataclass
from random import Random

FLAWS = (None, "ambiguous", "associative", "wrong")

# Spread of the time of votes around the median (standard deviation of the logarithm).
SPREAD = 0.35
# Validators who do not read are faster by this factor.
HURRY = 0.3
# No person opens and answers a question in less.
LEAST_SECONDS = 1.0
# Share of unread votes that claim to know the answer from the local context.
PRETENDS = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Validator:
    """A simulated validator; all but `name` and `seconds` are probabilities.

    Parameters
    ----------
    name : str
        Also the key of the validator's stream of random numbers.
    skill : float
        Probability of choosing the right option of an unambiguous question.
    spots_ambiguity : float
        Probability of marking an ambiguous question as ambiguous.
    local_guess : float
        Probability of answering a good question from the local context, not "cannot tell".
    careless : float
        Probability of answering a question without reading it.
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
    context (None for "cannot tell")."""

    option: int
    ambiguous: bool
    local_option: int | None
    seconds: float


def validate(
    validator: Validator, *, question: str, flaw: str | None, answer: int, seed: int
) -> SimulatedVote:
    """Return a validator's vote on a question.

    Parameters
    ----------
    validator : Validator
    question : str
        A stable name of the question; the same name gives the same vote.
    flaw : str | None
        The flaw of the question: one of `FLAWS`.
    answer : int
        The author's answer, 1 or 2. With the flaw "wrong" the other one is right.
    seed : int
        The campaign's seed.

    Returns
    -------
    SimulatedVote
        For "ambiguous" questions the option is random; for "associative" ones the local context
        reveals the right answer to a skilled validator.

    Raises
    ------
    ValueError
        If `flaw` or `answer` is invalid.
    """
    if flaw not in FLAWS:
        raise ValueError(f"flaw must be one of {FLAWS}, got {flaw!r}")
    if answer not in (1, 2):
        raise ValueError(f"answer must be 1 or 2, got {answer!r}")
    # Random hashes a string seed by SHA-512, so it does not depend on PYTHONHASHSEED.
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
    hurried = max(LEAST_SECONDS, round(HURRY * seconds, 1))
    return SimulatedVote(option, False, local_option, hurried)


def _option(validator: Validator, flaw: str | None, right: int, random: Random) -> int:
    chance = 0.5 if flaw == "ambiguous" else validator.skill
    return right if random.random() < chance else 3 - right


def _doubt(validator: Validator, flaw: str | None) -> float:
    """Return the probability of "ambiguous"; less skilled validators also doubt clear questions."""
    return validator.spots_ambiguity if flaw == "ambiguous" else 1 - validator.skill


def _local_option(validator: Validator, flaw: str | None, right: int, random: Random) -> int | None:
    """Return the local answer; for good questions a guess is right two times out of three."""
    draw = random.random()
    if flaw == "associative":
        return right if draw < validator.skill else None
    if draw < validator.local_guess:
        return right
    return 3 - right if draw < 1.5 * validator.local_guess else None


# Median time of writing a twin, and its spread.
WRITING_SECONDS, WRITING_SPREAD = 170, 0.4


def writing_seconds(twin: str, *, seed: int) -> int:
    """Return how many seconds a simulated author writes on the twin of that name."""
    random = Random(f"{seed}/writing/{twin}")
    return round(WRITING_SECONDS * math.exp(random.gauss(0, WRITING_SPREAD)))
