"""Amendments: a validator may change the last vote until the next answer."""

import uuid
from datetime import datetime, timedelta

from django.db import transaction

from collection.models import Campaign
from collection.selectors.consents import is_withdrawn
from validation.models import Seat, TwinReturn, Verdict, VerdictEvent, Vote
from validation.services.review import cases
from validation.services.validating import statements
from validation.services.validating.seats import as_shown, not_held
from validation.services.validating.votes import answers_of
from validation.services.verdicts.verdicts import settle
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from workers.models import User

UNDO_FOR = timedelta(minutes=10)


@transaction.atomic
def amend_vote(
    *,
    worker: User,
    seat_id: uuid.UUID,
    shown_option: int,
    ambiguous: bool,
    comment: str = "",
    report: str = "",
) -> Vote:
    """Replace the answers of the worker's last vote; its pay stays as it is.

    The former answers stay in the question's audit log. Submitting the stored answers again changes
    nothing and is never refused.

    Raises
    ------
    DomainError
        ``not_found``, ``lease_expired``, ``question_withdrawn``, or ``undo_over``: the worker has
        answered another question or withdrawn from the campaign, ``UNDO_FOR`` has passed, or a
        curator has decided.
    """
    seat = statements.lock(worker, seat_id)
    if seat is None:
        raise not_held(worker, seat_id)
    now = seat.asked_at
    vote = Vote.objects.filter(seat=seat).first()
    if vote is None:
        raise undo_over()
    vote.seat, vote.question, vote.worker = seat, seat.question, worker
    before = answers_of(vote)
    vote.option, vote.ambiguous = as_shown(seat, shown_option), ambiguous
    vote.comment, vote.report = comment, report
    if answers_of(vote) == before:
        return vote
    if not _may_be_amended(vote, now):
        raise undo_over()
    _store(vote, before=before, now=now)
    return vote


def undo_over() -> DomainError:
    """Return the refusal of an amendment that comes too late."""
    return Conflict(
        "undo_over",
        "This vote can no longer be changed: you have answered the next question, or the vote "
        "has been used.",
    )


def _may_be_amended(vote: Vote, now: datetime) -> bool:
    withdrawn = is_withdrawn(vote.worker_id, vote.seat.campaign_id)
    if Campaign.objects.filter(withdrawn, pk=vote.seat.campaign_id).exists():
        return False
    if vote.excluded_at is not None or now - vote.created_at > UNDO_FOR:
        return False
    if _last_seat(vote.worker, vote.seat.campaign) != vote.seat:
        return False
    # Gold must behave like any other question; its verdict is older than this vote.
    return vote.is_gold or not _is_used(vote)


def _is_used(vote: Vote) -> bool:
    return (
        Verdict.objects.filter(question=vote.question_id, decided_by__isnull=False).exists()
        or TwinReturn.objects.filter(twin=vote.seat.twin_id).exists()
        or vote.seat.twin.withdrawn_at is not None
    )


def _last_seat(worker: User, campaign: Campaign) -> Seat | None:
    """Return the seat of the worker's last vote; None if they have begun to answer another."""
    mine = Seat.objects.filter(worker=worker, campaign=campaign)
    last = mine.filter(answered_at__isnull=False).order_by("-answered_at").first()
    if last is None or mine.filter(answered_at=None, local_at__gt=last.answered_at).exists():
        return None
    return last


def _store(vote: Vote, *, before: dict[str, object], now: datetime) -> None:
    vote.clean_fields(exclude={"seat", "question", "worker"})
    vote.amended_at = now
    vote.save(update_fields=["option", "ambiguous", "comment", "report", "amended_at"])
    VerdictEvent.objects.create(
        question=vote.question,
        action=VerdictEvent.Action.VOTE_AMENDED,
        by=vote.worker,
        before=_facts(vote, before),
        after=_facts(vote, answers_of(vote)),
        created_at=now,
    )
    campaign = vote.seat.campaign
    if not vote.is_gold:
        settle(question=vote.question, campaign=campaign, now=now)
    if vote.report:
        cases.note(question=vote.question, closed_at=None)


def _facts(vote: Vote, words: dict[str, object]) -> dict[str, object]:
    """Return the answers in the twin's numbering, as curators read them."""
    option = as_shown(vote.seat, int(str(words["option"])))
    return {"vote": str(vote.public_id), **words, "option": option}


def amendable(*, worker: User, campaign: Campaign) -> Seat | None:
    """Return the seat whose vote *worker* may still amend; None if it is too late."""
    seat = _last_seat(worker, campaign)
    if seat is None:
        return None
    vote = Vote.objects.select_related("seat__twin", "seat__campaign", "worker").get(seat=seat)
    return vote.seat if _may_be_amended(vote, clock.now()) else None
