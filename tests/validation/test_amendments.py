"""A validator may take the last vote back and say otherwise, until the next answer."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from collection.models import Campaign, Question
from tests.factories import TwinFactory, UserFactory
from tests.validation.voting import a_question, held, refused, vote
from validation import services
from validation.models import Seat, Verdict, VerdictEvent, Vote
from workers.models import LedgerEntry


def amend(seat: Seat, **changes: object) -> Vote:
    answers = {"shown_option": 1, "ambiguous": False, **changes}
    return services.amend_vote(worker=seat.worker, seat_id=seat.public_id, **answers)


def test_the_last_vote_may_be_amended_and_the_audit_log_keeps_both() -> None:
    seat = held(swapped=True)
    first = vote(seat)
    assert services.amendable(worker=seat.worker, campaign=seat.campaign) == seat
    amended = amend(seat, shown_option=2, ambiguous=True, comment="Both.", report="offensive")
    assert amended == first
    stored = Vote.objects.get()
    assert (stored.option, stored.ambiguous, stored.comment) == (1, True, "Both.")
    assert stored.amended_at is not None
    event = VerdictEvent.objects.get(action=VerdictEvent.Action.VOTE_AMENDED)
    assert (event.before["option"], event.after["option"]) == (2, 1)
    assert (event.by, event.question) == (seat.worker, seat.question)
    assert LedgerEntry.objects.count() == 1


def test_an_amendment_that_changes_nothing_leaves_no_trace() -> None:
    seat = held()
    vote(seat)
    amend(seat)
    amendments = VerdictEvent.objects.filter(action=VerdictEvent.Action.VOTE_AMENDED)
    assert not amendments.exists()
    assert Vote.objects.get().amended_at is None


def test_an_amended_deciding_vote_decides_again() -> None:
    question = a_question()
    seats = [held(question=question, number=number) for number in (1, 2, 3)]
    for seat, option in zip(seats, (1, 2, 1), strict=True):
        vote(seat, shown_option=services.as_shown(seat, option))
    assert Verdict.objects.get().valid
    amend(seats[2], shown_option=services.as_shown(seats[2], 2))
    verdict = Verdict.objects.get()
    assert (verdict.valid, verdict.counts["correct"]) == (False, 1)


@pytest.mark.parametrize(
    "happens",
    ["the next is answered", "the next is validated", "ten minutes pass", "excluded", "decided"],
)
def test_an_undo_ends_when(happens: str) -> None:
    seat = held()
    cast = vote(seat)
    other = partial(held, worker=seat.worker, question=a_question_in(seat.campaign))
    if happens == "the next is answered":
        other(opened=True)
    elif happens == "the next is validated":
        vote(other())
    elif happens == "ten minutes pass":
        Vote.objects.update(created_at=timezone.now() - timedelta(minutes=10, seconds=1))
    elif happens == "excluded":
        Vote.objects.update(excluded_at=timezone.now(), exclusion_reason="Too quick.")
    else:
        Verdict.objects.update(decided_by=UserFactory(curator=True))
    error = refused(amend, seat=seat, shown_option=2)
    assert (error.code, error.status) == ("undo_over", 409)
    assert services.amendable(worker=seat.worker, campaign=seat.campaign) in (None, *last(happens))
    assert Vote.objects.get(pk=cast.pk).option == cast.option
    assert amend(seat) == cast  # what stands already may be sent at any time


def last(happens: str) -> list[Seat]:
    """The vote after the first one may still be amended itself."""
    return list(Seat.objects.order_by("-pk")[:1]) if happens == "the next is validated" else []


def a_question_in(campaign: Campaign) -> Question:
    return TwinFactory(campaign=campaign).questions.get(number=1)


def test_a_seat_without_a_vote_has_nothing_to_amend() -> None:
    assert refused(amend, seat=held()).code == "undo_over"
    seat = held()
    assert services.amendable(worker=seat.worker, campaign=seat.campaign) is None


def test_another_workers_vote_is_not_found() -> None:
    seat = held()
    vote(seat)
    error = refused(
        services.amend_vote,
        worker=UserFactory(),
        seat_id=seat.public_id,
        shown_option=2,
        ambiguous=False,
    )
    assert error.code == "not_found"
