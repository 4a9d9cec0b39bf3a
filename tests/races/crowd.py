"""A crowd of simulated validators at one campaign, and the rows that it works on.

The tests of the queue and its benchmarks share it. ``naive_vote`` is the queue one would write
first: it counts votes as it reads and holds nothing, so it gives questions too many of them.
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone

from collection.models import Campaign, Question, Twin
from tests.factories import OPTIONS, SENTENCES
from tests.races.processes import process_pool
from validation import services
from validation.models import Seat, Vote
from winoplatform.errors import DomainError
from workers.models import User

# What ends a validator's work; other reasons for an empty queue pass by themselves.
OVER = {"all_validated", "yours_or_validated"}
PAUSE_SECONDS = 0.05


def make_users(prefix: str, count: int) -> list[User]:
    """Make accounts without passwords."""
    return User.objects.bulk_create(
        User(username=f"{prefix}{number}", password="!") for number in range(count)
    )


def make_questions(campaign: Campaign, count: int, *, authors: Sequence[User]) -> None:
    """Make *count* questions as whole twins with their free seats; the authors take turns."""
    twins = Twin.objects.bulk_create(
        Twin(
            campaign=campaign,
            author=authors[number % len(authors)],
            option1=OPTIONS[0],
            option2=OPTIONS[1],
            **campaign.for_twins,
        )
        for number in range(count // 2)
    )
    questions = Question.objects.bulk_create(
        Question(twin=twin, number=number, sentence=SENTENCES[number - 1], answer=number)
        for twin in twins
        for number in (1, 2)
    )
    Seat.objects.bulk_create(
        (
            Seat(
                question=question,
                number=number,
                campaign=campaign,
                twin_id=question.twin_id,
                author_id=question.twin.author_id,
                place=question.pk,
            )
            for question in questions
            for number in range(1, campaign.votes_per_question + 1)
        ),
        batch_size=10_000,
    )


@dataclass
class Timings:
    """Seconds that each call of a service took, over all validators."""

    claim: list[float] = field(default_factory=list)
    local: list[float] = field(default_factory=list)
    vote: list[float] = field(default_factory=list)

    @classmethod
    def joined(cls, parts: Sequence["Timings"]) -> "Timings":
        return cls(
            claim=[second for part in parts for second in part.claim],
            local=[second for part in parts for second in part.local],
            vote=[second for part in parts for second in part.vote],
        )


@contextmanager
def request(seconds: list[float]) -> Iterator[None]:
    """Time one call as a web request makes it: the connection goes back to the pool after it."""
    start = time.perf_counter()
    try:
        yield
    finally:
        connection.close()
    seconds.append(time.perf_counter() - start)


Cycle = Callable[[User, Campaign, Random, Timings], bool]


def validate_once(worker: User, campaign: Campaign, random: Random, timings: Timings) -> bool:
    """Claim a seat and answer in two steps; return False when nothing is left for *worker*."""
    try:
        with request(timings.claim):
            seat = services.claim_seat(worker=worker, campaign=campaign)
    except DomainError as error:
        if error.details["reason"] in OVER:
            return False
        time.sleep(PAUSE_SECONDS)
        return True
    right = services.as_shown(seat, seat.question.answer)
    with request(timings.local):
        services.answer_local(
            worker=worker,
            seat_id=seat.public_id,
            shown_option=right if random.random() < 0.15 else None,
        )
    with request(timings.vote):
        services.cast_vote(
            worker=worker,
            seat_id=seat.public_id,
            shown_option=right if random.random() < 0.9 else 3 - right,
            ambiguous=random.random() < 0.05,
        )
    return True


def naive_vote(worker: User, campaign: Campaign, random: Random, timings: Timings) -> bool:
    """Vote on the first question that looks short of votes: no numbered seat, no lock, no lease.

    A seat with the worker's own number is made for each vote, so nothing but the count guards.
    """
    with request(timings.claim):
        question = _looks_short(worker, campaign)
    if question is None:
        return False
    with request(timings.vote), transaction.atomic():
        now = timezone.now()
        seat = Seat.objects.create(
            question=question,
            number=1000 + worker.pk % 30_000,
            campaign=campaign,
            twin_id=question.twin_id,
            worker=worker,
            leased_until=now,
            answered_at=now,
        )
        Vote.objects.create(
            seat=seat, question=question, worker=worker, option=question.answer, ambiguous=False
        )
    return True


def _looks_short(worker: User, campaign: Campaign) -> Question | None:
    validated = Seat.objects.filter(worker=worker, twin=OuterRef("twin"))
    counted = Question.objects.in_campaign(campaign).annotate(n_votes=Count("votes"))
    short = counted.filter(~Exists(validated), n_votes__lt=campaign.votes_per_question)
    return short.exclude(twin__author=worker).order_by("pk").first()


def work(
    workers: Sequence[User],
    campaign: Campaign,
    *,
    cycle: Cycle = validate_once,
    cycles: int | None = None,
    pause: float = 0.0,
) -> Timings:
    """Let every worker validator in a thread of its own, until nothing is left or *cycles* are
    done.

    Between two cycles each waits *pause* seconds, give or take half of it.
    """
    start = threading.Barrier(len(workers))
    timings = [Timings() for _ in workers]

    def one(number: int) -> None:
        random = Random(workers[number].pk)
        try:
            start.wait()
            time.sleep(pause * random.random())  # people do not begin all at once
            for _ in itertools.count() if cycles is None else range(cycles):
                if not cycle(workers[number], campaign, random, timings[number]):
                    return
                time.sleep(pause * (0.5 + random.random()))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(workers)) as pool:
        for done in [pool.submit(one, number) for number in range(len(workers))]:
            done.result()
    return Timings.joined(timings)


def _work_on(pks: list[int], campaign: int, options: dict[str, Any]) -> Timings:
    workers = list(User.objects.filter(pk__in=pks))
    return work(workers, Campaign.objects.get(pk=campaign), **options)


def work_in_processes(
    workers: Sequence[User], campaign: Campaign, *, processes: int, **options: Any
) -> Timings:
    """As `work`, with the workers' threads shared out over *processes* processes."""
    with process_pool(processes) as pool:
        pks = [[worker.pk for worker in workers[part::processes]] for part in range(processes)]
        parts = [pool.submit(_work_on, part, campaign.pk, options) for part in pks]
        return Timings.joined([part.result() for part in parts])


@dataclass(frozen=True)
class Tally:
    """Votes too many and too few, over all questions of a campaign."""

    questions: int
    votes: int
    over: int
    under: int


def tally(campaign: Campaign) -> Tally:
    """Count the votes of a campaign's questions against what each should have."""
    due = campaign.votes_per_question
    counted = Question.objects.in_campaign(campaign).annotate(n=Count("votes"))
    counts = list(counted.values_list("n", flat=True))
    return Tally(
        questions=len(counts),
        votes=sum(counts),
        over=sum(max(0, count - due) for count in counts),
        under=sum(max(0, due - count) for count in counts),
    )
