"""A crowd at the queue: every question gets exactly its votes, from people who may judge it."""

import time
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models import Count, F
from django.utils import timezone

from collection.models import Campaign, Question
from tests.factories import CampaignFactory, SeatFactory, TwinFactory, UserFactory
from tests.races.crowd import (
    make_questions,
    make_users,
    naive_vote,
    tally,
    work,
    work_in_processes,
)
from tests.races.threads import at_once
from validation import services
from validation.models import Seat, Verdict, Vote
from validation.services import claims, votes
from workers.models import LedgerEntry, User


def crowd(campaign: Campaign, *, questions: int) -> list[User]:
    """Twenty-four judges, who have written the questions between them."""
    judges = make_users("judge", 24)
    make_questions(campaign, questions, authors=judges)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE validation_seat")
    return judges


def test_24_judges_give_1000_questions_exactly_three_votes_each() -> None:
    """Twelve threads in each of two processes, as a web server runs them."""
    campaign = CampaignFactory()
    work_in_processes(crowd(campaign, questions=1000), campaign, processes=2)
    counts = tally(campaign)
    assert (counts.questions, counts.votes, counts.over, counts.under) == (1000, 3000, 0, 0)
    # No worker twice on a question or its twin, none on their own, one verdict each, all paid.
    assert not Vote.objects.filter(question__twin__author=F("worker")).exists()
    doubled = Vote.objects.values("question__twin", "worker").annotate(n=Count("pk"))
    assert not doubled.filter(n__gt=1).exists()
    assert Verdict.objects.count() == 1000
    assert LedgerEntry.objects.total() == Decimal("90.00")


def test_a_crowd_that_only_counts_votes_gives_too_many() -> None:
    """The control: the same crowd over a queue without seats and locks."""
    campaign = CampaignFactory()
    judges = crowd(campaign, questions=60)
    Seat.objects.all().delete()
    work(judges, campaign, cycle=naive_vote)
    assert tally(campaign).over > 0


def opened_seats(question: Question, count: int) -> list[Seat]:
    return [
        SeatFactory(question=question, worker=UserFactory(), opened=True, number=number)
        for number in range(1, count + 1)
    ]


def vote(seat: Seat) -> Vote:
    return services.cast_vote(
        worker=seat.worker, seat_id=seat.public_id, shown_option=1, ambiguous=False
    )


def test_two_votes_on_one_seat_at_once_are_one_vote_and_one_pay() -> None:
    question = TwinFactory().questions.get(number=1)
    for seat in opened_seats(question, 3):
        first, second = at_once(partial(vote, seat), partial(vote, seat))
        assert first.pk == second.pk
    assert Vote.objects.count() == LedgerEntry.objects.count() == 3


@pytest.mark.parametrize("attempt", range(3))
def test_the_last_two_votes_at_once_give_exactly_one_verdict(attempt: int) -> None:
    question = TwinFactory().questions.get(number=1)
    seats = opened_seats(question, 3)
    vote(seats[0])
    at_once(*[partial(vote, seat) for seat in seats[1:]])
    assert Verdict.objects.get().counts["votes"] == 3


def test_a_worker_who_claims_in_many_tabs_at_once_holds_one_seat() -> None:
    twins = [TwinFactory(seats=3, campaign=CampaignFactory())]
    campaign, bob = twins[0].campaign, UserFactory()
    TwinFactory.create_batch(3, campaign=campaign, seats=3)
    seats = at_once(*[partial(services.claim_seat, worker=bob, campaign=campaign)] * 6)
    assert len({seat.public_id for seat in seats}) == 1
    assert Seat.objects.filter(worker=bob).count() == 1


def test_of_two_workers_who_claim_the_last_seat_at_once_one_gets_it() -> None:
    seat = SeatFactory()
    claims = at_once(
        *[
            partial(services.claim_seat, worker=worker, campaign=seat.campaign)
            for worker in UserFactory.create_batch(2)
        ]
    )
    assert [claim.pk for claim in claims if isinstance(claim, Seat)] == [seat.pk]


def test_a_claim_and_a_late_vote_of_one_worker_do_not_lock_each_other_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lease ends while the vote is stored; the claim then takes the seat from its worker."""
    soon = timezone.now() + timedelta(seconds=0.5)
    seat = SeatFactory(worker=UserFactory(), opened=True, leased_until=soon)
    lease_is_over = partial(time.sleep, 0.6)
    monkeypatch.setattr(votes, "refuse_unless_held", lambda *_: lease_is_over())

    def claim_later() -> Seat:
        time.sleep(0.55)
        return services.claim_seat(worker=seat.worker, campaign=seat.campaign)

    voted, claimed = at_once(partial(vote, seat), claim_later)
    assert isinstance(voted, Vote)
    assert claimed.code == "queue_empty"


def test_a_late_worker_does_not_take_the_seat_back_from_the_one_who_has_it_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bob sees his ended lease while Carol's claim of the same seat is being stored."""
    seat = SeatFactory(worker=UserFactory(), expired=True)
    bob, carol = seat.worker, UserFactory()
    lease = claims._lease

    def lease_slowly(*args: Any) -> None:
        lease(*args)
        time.sleep(0.4)

    def claim_later() -> Seat:
        time.sleep(0.2)
        return services.claim_seat(worker=bob, campaign=seat.campaign)

    monkeypatch.setattr(claims, "_lease", lease_slowly)
    claimed, late = at_once(
        partial(services.claim_seat, worker=carol, campaign=seat.campaign), claim_later
    )
    assert claimed == seat
    assert late.code == "queue_empty"
    assert Seat.objects.get().worker == carol


def test_nobody_votes_with_a_seat_that_was_given_to_another_meanwhile() -> None:
    seat = SeatFactory(worker=UserFactory(), opened=True, expired=True)
    carol = UserFactory()
    services.claim_seat(worker=carol, campaign=seat.campaign)
    (refused,) = at_once(partial(vote, seat))
    assert refused.code == "lease_expired"
    assert not Vote.objects.exists()
    assert Seat.objects.get(worker=carol) == seat
