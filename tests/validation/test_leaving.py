"""Seats that are left without a vote after a curator has decided: nobody else is asked or paid."""

from collections.abc import Callable

import pytest

from collection.models import Question
from tests.factories import TwinFactory, UserFactory
from tests.validation.claiming import claim, expire
from tests.validation.deciding import a_question, give, refusal
from validation import services
from validation.models import PassedSeat, Seat, Verdict
from validation.services.review.adjudication import decide_question, reopen
from validation.services.verdicts.questions import revision_of
from workers.models import User


def look(question: Question, dana: User) -> dict[str, object]:
    revision = revision_of(question)
    return {"question_id": question.public_id, "note": "Read.", "revision": revision, "by": dana}


def only(question: Question) -> None:
    """Leave no other question in the queue."""
    Seat.objects.filter(twin=question.twin).exclude(question=question).delete()


def returned(seat: Seat) -> None:
    services.return_seat(worker=seat.worker, seat_id=seat.public_id)


def lapsed(seat: Seat) -> None:
    expire(seat)
    other = TwinFactory(campaign=seat.campaign, seats=3)
    assert claim(seat.worker, seat.campaign).twin == other


def left(seat: Seat) -> None:
    services.free_seats_of(worker=seat.worker, campaign=seat.campaign)


@pytest.mark.parametrize("leave", [returned, lapsed, left])
def test_a_seat_that_is_left_after_the_decision_goes(
    dana: User, leave: Callable[[Seat], None]
) -> None:
    question = a_question()
    only(question)
    give(question, True)
    campaign = question.twin.campaign
    seats = [claim(UserFactory(), campaign) for _ in range(2)]
    decide_question(**look(question, dana), valid=True)
    mine = {"worker": seats[0].worker, "seat_id": seats[0].public_id}
    services.answer_local(**mine, shown_option=None)
    services.cast_vote(**mine, shown_option=1, ambiguous=False)
    leave(seats[1])
    assert not Seat.objects.filter(pk=seats[1].pk).exists()
    assert PassedSeat.objects.filter(worker=seats[1].worker, twin=question.twin).exists()
    assert Verdict.objects.get().counts["votes"] == 2


def test_nobody_gets_a_seat_whose_lease_ended_after_the_decision(dana: User) -> None:
    question = a_question()
    only(question)
    campaign = question.twin.campaign
    seat = claim(UserFactory(), campaign)
    decide_question(**look(question, dana), valid=True)
    expire(seat)
    carol = UserFactory()
    empty = refusal(claim, worker=carol, campaign=campaign)
    # No lease that ends later is worth waiting for.
    assert (empty.code, empty.details["again_at"]) == ("queue_empty", None)
    reopen(**look(question, dana))
    assert claim(carol, campaign).question == question


def test_what_was_lapsed_when_the_curator_decided_goes_at_once(dana: User) -> None:
    question = a_question()
    seat = claim(UserFactory(), question.twin.campaign)
    expire(seat)
    decide_question(**look(question, dana), valid=True)
    assert not Seat.objects.filter(question=question).exists()
