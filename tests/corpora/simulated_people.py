"""People with habits of their own who write and validate: rows of a campaign, with known truth."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from collection.models import Campaign, Provenance, Question, Twin
from tests.factories import OPTIONS, UserFactory
from validation.core.verdicts import Ballot, Policy, decide
from validation.models import Seat, Verdict, Vote
from workers.models import User

N_PEOPLE, VOTES = 50, 3
BEGINNING = datetime(2026, 1, 5, tzinfo=UTC)
WORDS = [f"{a}{b}" for a in ("ba", "ko", "mi", "ru", "te") for b in ("lan", "der", "sot", "gim")]


@dataclass(frozen=True, slots=True)
class Habits:
    """What a person does as a rule, each (50,)."""

    account: list[User]
    busy: Any  # share of the work
    right: Any
    unclear: Any  # share of questions found ambiguous
    guesses: Any  # share of local contexts that are answered
    quick: Any  # log of the seconds of a vote
    hour: Any  # of the day at which they work


def people(rng: np.random.Generator) -> Habits:
    """Fifty accounts in the order of sign-up, the busiest first: nothing may show this order."""
    busy = np.sort(rng.lognormal(0, 0.8, N_PEOPLE))[::-1]
    return Habits(
        account=UserFactory.create_batch(N_PEOPLE),
        busy=busy / busy.sum(),
        right=rng.beta(18, 2, N_PEOPLE),
        unclear=rng.beta(1, 12, N_PEOPLE),
        guesses=rng.beta(2, 3, N_PEOPLE),
        quick=rng.normal(2.5, 0.4, N_PEOPLE),
        hour=rng.uniform(0, 24, N_PEOPLE),
    )


def work(
    campaign: Campaign, habits: Habits, rng: np.random.Generator, *, twins: int, month: int
) -> None:
    """Let them write unpaired questions in a month, and give each three votes and a verdict."""
    first = Twin.objects.count()
    authors = rng.choice(N_PEOPLE, twins, p=habits.busy)
    made = Twin.objects.bulk_create(
        Twin(
            campaign=campaign, author=habits.account[author], option1=OPTIONS[0],
            option2=OPTIONS[1], created_at=_when(habits, author, month, rng),
            **campaign.for_twins,
        )
        for author in authors
    )  # fmt: skip
    Provenance.objects.bulk_create(
        Provenance(twin=twin, active_seconds=round(20 * _seconds(habits, author, rng)))
        for twin, author in zip(made, authors, strict=True)
    )
    questions = Question.objects.bulk_create(
        Question(
            twin=twin, number=1, answer=1,
            sentence=f"The trophy {first + n} {' '.join(rng.choice(WORDS, 5))} _ was too large.",
        )
        for n, twin in enumerate(made)
    )  # fmt: skip
    _vote(questions, authors, habits, rng, month)


def _when(habits: Habits, person: int, month: int, rng: np.random.Generator) -> datetime:
    hours = habits.hour[person] + rng.normal(0, 1) + 24 * rng.integers(0, 25)
    return BEGINNING + timedelta(days=30 * month, hours=float(hours))


def _seconds(habits: Habits, person: int, rng: np.random.Generator) -> float:
    return float(np.exp(habits.quick[person] + rng.normal(0, 0.5)))


def _vote(
    questions: list[Question], authors: Any, habits: Habits, rng: np.random.Generator, month: int
) -> None:
    seats, votes, verdicts = [], [], []
    for question, author in zip(questions, authors, strict=True):
        share = np.where(np.arange(N_PEOPLE) == author, 0, habits.busy)
        chosen = rng.choice(N_PEOPLE, VOTES, replace=False, p=share / share.sum())
        ballots = [_ballot(habits, person, rng) for person in chosen]
        for number, (person, ballot) in enumerate(zip(chosen, ballots, strict=True), 1):
            seats.append(_seat(question, habits, person, number, month, rng))
            votes.append((ballot, seats[-1]))
        decision = decide(ballots, answer=1, policy=Policy.MAJORITY)
        verdicts.append(
            Verdict(
                question=question, policy="majority", version=decision.version,
                valid=decision.valid, reasons=[str(one) for one in decision.reasons],
                counts=decision.counts, created_at=BEGINNING + timedelta(days=30 * month + 29),
            )
        )  # fmt: skip
    Seat.objects.bulk_create(seats)
    given = [
        Vote(
            seat=seat, question=seat.question, worker=seat.worker, option=ballot.option,
            ambiguous=ballot.ambiguous, local_option=ballot.local_option,
            created_at=seat.answered_at,
        )
        for ballot, seat in votes
    ]  # fmt: skip
    Vote.objects.bulk_create(sorted(given, key=lambda vote: vote.created_at))
    Verdict.objects.bulk_create(verdicts)


def _ballot(habits: Habits, person: int, rng: np.random.Generator) -> Ballot:
    return Ballot(
        option=1 if rng.random() < habits.right[person] else 2,
        ambiguous=bool(rng.random() < habits.unclear[person]),
        local_option=2 - int(rng.random() < 0.5) if rng.random() < habits.guesses[person] else None,
    )


def _seat(
    question: Question, habits: Habits, person: int, number: int, month: int,
    rng: np.random.Generator,
) -> Seat:  # fmt: skip
    claimed = _when(habits, person, month, rng)
    begun = claimed + timedelta(seconds=_seconds(habits, person, rng) / 2)
    answered = begun + timedelta(seconds=_seconds(habits, person, rng))
    return Seat(
        question=question, number=number, campaign=question.twin.campaign, twin=question.twin,
        author=question.twin.author, worker=habits.account[person], claimed_at=claimed,
        leased_until=answered, local_at=begun, answered_at=answered, reward=Decimal("0.03"),
    )  # fmt: skip
