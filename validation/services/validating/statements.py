"""Prepared statements of a validator's three steps: one round trip each.

Claims, local answers and votes are the platform's most frequent requests. Constraints of the tables
still guard them.
"""

import uuid
from datetime import datetime
from typing import Any

from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    IntegerField,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from collection.models import Campaign, Participant, Question
from collection.selectors.consents import is_withdrawn
from collection.selectors.joining import unblocked
from validation import models
from validation.models import PassedSeat, Seat, Verdict, Vote
from validation.models.seats import NOT_READ
from validation.services.validating.leases import answering, claiming
from winoplatform import clock
from winoplatform.db.prepared import Placeholder, Prepared, Statement, insert, once
from workers.models import Qualification, User

HEAD_SEATS = 200  # searched first by every claim
LAST_PLACE = Value(2**63 - 1, output_field=BigIntegerField())
# The ranges that a claim searches, in this order.
REACHES = HEAD, BEYOND, BETWEEN = "head", "beyond", "between"


@once
def _named() -> Prepared[Campaign]:
    # JSON, which validating does not need.
    return Prepared(Campaign.objects.defer("blocking").filter(slug=Placeholder("slug")))


def campaign_named(slug: str) -> Campaign | None:
    return _named().first(slug=slug)


@once
def _accounts() -> Prepared[User]:
    campaigns = Campaign.objects.filter(pk=Placeholder("campaign"))
    clear = unblocked(Placeholder("worker"), Qualification.Skill.VALIDATE, campaigns)
    account = User.objects.filter(pk=Placeholder("worker")).select_for_update(no_key=True)
    return Prepared(account.values_list(Exists(clear)), is_timed=True)


def lock_worker(worker: User, campaign: Campaign) -> tuple[bool, datetime]:
    """Lock the worker's account; return whether they may validate in the campaign, and the time.

    The time is the database's, once the account is locked.
    """
    [(is_clear, now)] = _accounts().rows(worker=worker.pk, campaign=campaign.pk)
    return is_clear, now


@once
def _in_hand() -> Prepared[Seat]:
    mine = Seat.objects.filter(
        worker=Placeholder("worker"), campaign=Placeholder("campaign")
    ).waiting()
    return Prepared(mine.with_question().order_by("claimed_at", "pk"))


def in_hand(worker: User, campaign: Campaign) -> list[Seat]:
    """Return the seats that *worker* claimed and has not voted with, oldest first."""
    seats = _in_hand().all(worker=worker.pk, campaign=campaign.pk)
    return [_tied(seat, campaign) for seat in seats]


@once
def claims(reach: str) -> Prepared[Seat]:
    """Return the statement that leases the first free seat of a campaign within *reach*."""
    free = Seat.objects.free(now=Placeholder("now")).in_campaign(Placeholder("campaign"))
    head = Seat.objects.in_campaign(Placeholder("campaign")).numbered().waiting().in_order()
    end = Coalesce(Subquery(head.values("place")[HEAD_SEATS : HEAD_SEATS + 1]), LAST_PLACE)
    within = {
        HEAD: Q(place__lte=end),
        BEYOND: Q(place__gt=Placeholder("furthest")),
        BETWEEN: Q(place__lte=Placeholder("furthest")),
    }
    # Again, now that the account is locked: the first check was of the state before.
    has_left = is_withdrawn(Placeholder("worker"), Placeholder("campaign"))
    mine = free.filter(within[reach]).open_to(Placeholder("worker")).exclude(has_left)
    # No joins: the database might join a whole long queue before it takes the first row.
    return claiming(mine.annotate(opened=Q(local_at__isnull=False)))  # type: ignore[no-redef]


def lease(worker: User, campaign: Campaign, *, reach: str, **values: Any) -> Seat | None:
    """Lease the first free seat within *reach* to *worker*, or None.

    The seat has the former holder whose lease had ended, if any, as ``left_by``, and whether they
    had seen the sentence, as ``opened``.
    """
    parameters = {"worker": worker.pk, "campaign": campaign.pk, "reward": campaign.reward_vote}
    seat = claims(reach).first(**parameters, **values)
    if seat is None:
        return None
    question = _question().first(question=seat.question_id)
    assert question is not None
    seat.question, seat.twin = question, question.twin
    return _tied(seat, campaign)


@once
def _question() -> Prepared[Question]:
    named = Question.objects.filter(pk=Placeholder("question")).order_by()
    return Prepared(named.select_related("twin").defer(*NOT_READ))


@once
def _opening() -> Prepared[Seat]:
    waiting = Seat.objects.held(now=clock.Now()).filter(local_at=None, worker=Placeholder("worker"))
    seat = waiting.filter(public_id=Placeholder("seat")).with_campaign()
    shown_at = Placeholder("shown", IntegerField())
    option = Case(When(swapped=True, then=3 - shown_at), default=shown_at)
    locked = seat.select_for_update(of=("self",), no_key=True)
    return Prepared(locked, local_at=clock.Now(), local_option=option)


def open_seat(worker: User, seat_id: uuid.UUID, *, shown_option: int | None) -> Seat | None:
    """Store the local answer of a seat that waits for it; None for any other seat."""
    seat = _opening().first(worker=worker.pk, seat=seat_id, shown=shown_option)
    return seat and _tied(seat, seat.campaign)


@once
def locking() -> Prepared[Seat]:
    """Return the statement that locks a seat, and before it the question.

    This serializes the last two votes of a question, or a vote and the withdrawal of its twin.
    """
    seat = Seat.objects.filter(
        public_id=Placeholder("seat"), worker=Placeholder("worker")
    ).with_campaign()
    from_crowd = Exists(Participant.objects.filter(worker=Placeholder("worker")))
    timed = seat.annotate(from_crowd=from_crowd, asked_at=clock.Now())  # type: ignore[no-redef]
    return Prepared(timed.select_for_update(of=("question", "self"), no_key=True))


def lock(worker: User, seat_id: uuid.UUID) -> Seat | None:
    """Lock a seat of *worker* and its question; None if the seat is not theirs.

    The seat has whether the worker came from a crowd platform, as ``from_crowd``, and the
    database's time of the request, as ``asked_at``.
    """
    seat = locking().first(worker=worker.pk, seat=seat_id)
    return seat and _tied(seat, seat.campaign)


def _tied(seat: Seat, campaign: Campaign) -> Seat:
    """Set the twin and campaign of a seat's question, which are already loaded."""
    seat.campaign = seat.twin.campaign = campaign
    seat.question.twin = seat.twin
    return seat


@once
def _voted() -> Prepared[Seat]:
    seats = Seat.objects.filter(question=Placeholder("question")).numbered()
    has_voted = Q(answered_at__isnull=False) | Q(pk=Placeholder("seat"))
    return Prepared(seats.values_list(ExpressionWrapper(has_voted, BooleanField())))


def store_vote(vote: Vote, *, pay: Statement) -> list[bool]:
    """Store a vote with its *pay*, and mark its seat, which is locked, as answered.

    Returns
    -------
    For each numbered seat of the question, including this one, whether it has its vote.
    """
    seat = vote.seat
    take = answering(seat, now=vote.created_at, reward=seat.reward)
    read = _voted().statement.filled(question=seat.question_id, seat=seat.pk)
    return [has_voted for (has_voted,) in insert(vote, take, pay, read=read)]


@once
def _seats_of() -> Prepared[Seat]:
    has_verdict = Exists(Verdict.objects.filter(question=Placeholder("question")))
    seats = Seat.objects.filter(question=Placeholder("question")).numbered()
    return Prepared(seats.values_list("worker", "leased_until", "answered_at", has_verdict))


def seats_of(question: Question) -> tuple[list[tuple[int | None, datetime | None, bool]], bool]:
    """Return each numbered seat's worker, lease and whether it has voted.

    Also return whether there may be a verdict to look up; True without seats.
    """
    rows = _seats_of().rows(question=question.pk)
    seats = [(worker, until, at is not None) for worker, until, at, _ in rows]
    return seats, not rows or rows[0][-1]


@once
def _votes_of() -> Prepared[Vote]:
    return Prepared(Vote.objects.counting().filter(question=Placeholder("question")).order_by("pk"))


def votes_of(question: Question) -> list[Vote]:
    """Return the votes that count, oldest first."""
    return _votes_of().all(question=question.pk)


@once
def _reports_of() -> Prepared[Question]:
    # Workers who got the question as gold may also report it.
    votes = Vote.objects.filter(question=Placeholder("question"), excluded_at=None)
    returned = PassedSeat.objects.filter(question=Placeholder("question"))
    case = models.Case.objects.filter(question=Placeholder("question"))
    visitors = models.VisitorReport.objects.filter(question=Placeholder("question"))
    own = [_count(rows.exclude(report="")) for rows in (votes, returned)]
    question = Question.objects.filter(pk=Placeholder("question")).order_by()
    return Prepared(question.values_list(own[0] + own[1] + _count(visitors), Exists(case)))


def _count(rows: Any) -> Any:
    counts = rows.order_by().values(everywhere=Value(1)).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counts), 0)


def reports_of(question: Question) -> tuple[int, bool]:
    """Return how often a question was reported, by validators or readers, and if it has a case."""
    [(reports, has_case)] = _reports_of().rows(question=question.pk)
    return reports, has_case
