"""A crowd at the queue: every question gets exactly its votes, from people who may judge it."""

import threading
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
from validation.services import statements, verdicts, votes
from workers.models import LedgerEntry, User

QUESTIONS = 200  # each the last for somebody: two judges meet at every seat


def crowd(campaign: Campaign, *, questions: int) -> list[User]:
    """Twenty-four judges, who have written the questions between them."""
    judges = make_users("judge", 24)
    make_questions(campaign, questions, authors=judges)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE validation_seat")
    return judges


def test_24_judges_give_every_question_exactly_three_votes() -> None:
    """Twelve threads in each of two processes, as a web server runs them."""
    campaign = CampaignFactory()
    work_in_processes(crowd(campaign, questions=QUESTIONS), campaign, processes=2)
    counts = tally(campaign)
    assert (counts.questions, counts.votes) == (QUESTIONS, 3 * QUESTIONS)
    assert (counts.over, counts.under) == (0, 0)
    # No worker twice on a question or its twin, none on their own, one verdict each, all paid.
    assert not Vote.objects.filter(question__twin__author=F("worker")).exists()
    doubled = Vote.objects.values("question__twin", "worker").annotate(n=Count("pk"))
    assert not doubled.filter(n__gt=1).exists()
    assert Verdict.objects.count() == QUESTIONS
    assert LedgerEntry.objects.total() == 3 * QUESTIONS * Decimal("0.03")


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
    lease = statements.lease

    def lease_slowly(*args: Any, **values: Any) -> Any:
        leased = lease(*args, **values)
        time.sleep(0.4)
        return leased

    def claim_later() -> Seat:
        time.sleep(0.2)
        return services.claim_seat(worker=bob, campaign=seat.campaign)

    monkeypatch.setattr(statements, "lease", lease_slowly)
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


# -- one seat, many hands --------------------------------------------------------------------------
def test_many_workers_at_one_seat_at_once_are_one_holder() -> None:
    for _ in range(3):
        seat, workers = SeatFactory(), UserFactory.create_batch(6)
        claims = at_once(
            *[
                partial(services.claim_seat, worker=worker, campaign=seat.campaign)
                for worker in workers
            ]
        )
        held = [claim for claim in claims if isinstance(claim, Seat)]
        assert [claim.pk for claim in held] == [seat.pk]
        assert {error.code for error in claims if not isinstance(error, Seat)} == {"queue_empty"}
        seat.refresh_from_db()
        assert seat.worker_id == held[0].worker_id


def claims_that_meet(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Six claims of one seat, each in the middle of it when the others begin."""
    seat, workers = SeatFactory(), UserFactory.create_batch(6)
    lease = statements.lease

    def lease_slowly(*args: Any, **values: Any) -> Any:
        leased = lease(*args, **values)
        time.sleep(0.3)
        return leased

    monkeypatch.setattr(statements, "lease", lease_slowly)
    return at_once(
        *[partial(services.claim_seat, worker=worker, campaign=seat.campaign) for worker in workers]
    )


def test_claims_that_meet_at_one_seat_are_one_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = claims_that_meet(monkeypatch)
    assert sum(isinstance(claim, Seat) for claim in claims) == 1


def test_control_without_the_seats_lock_many_believe_to_hold_one_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lock = "FOR NO KEY UPDATE SKIP LOCKED"
    assert lock in statements.LEASE
    monkeypatch.setattr(statements, "LEASE", statements.LEASE.replace(lock, ""))
    claims = claims_that_meet(monkeypatch)
    assert sum(isinstance(claim, Seat) for claim in claims) > 1


def test_a_vote_at_the_end_of_its_lease_and_the_next_claim_are_never_both_right() -> None:
    """Whoever comes first: the vote stands and the seat is taken, or the seat has moved on."""
    for number in range(8):
        soon = timezone.now() + timedelta(seconds=0.05)
        seat = SeatFactory(worker=UserFactory(), opened=True, leased_until=soon)
        carol = UserFactory()

        def claim_at_the_end(seat: Seat = seat, carol: User = carol, number: int = number) -> Seat:
            time.sleep(0.03 + 0.005 * number)
            return services.claim_seat(worker=carol, campaign=seat.campaign)

        def vote_at_the_end(seat: Seat = seat) -> Vote:
            time.sleep(0.05)
            return vote(seat)

        voted, claimed = at_once(vote_at_the_end, claim_at_the_end)
        stands = Seat.objects.get(pk=seat.pk)
        assert isinstance(voted, Vote) == (stands.voted_at is not None)
        assert isinstance(claimed, Seat) == (stands.worker_id == carol.pk)
        assert not (isinstance(voted, Vote) and isinstance(claimed, Seat))
        assert Vote.objects.filter(seat=seat).count() == int(isinstance(voted, Vote))


def test_an_amendment_and_the_deciding_vote_make_one_verdict_of_what_stands() -> None:
    for _ in range(4):
        question = TwinFactory().questions.get(number=1)
        seats = opened_seats(question, 3)
        for seat in seats[:2]:
            vote(seat)
        amend = partial(
            services.amend_vote,
            worker=seats[0].worker,
            seat_id=seats[0].public_id,
            shown_option=2,
            ambiguous=True,
        )
        results = at_once(amend, partial(vote, seats[2]))
        assert all(isinstance(result, Vote) for result in results), results
        stand = Vote.objects.filter(question=question)
        correct = sum(v.option == question.answer for v in stand)
        verdict = Verdict.objects.get(question=question)
        assert verdict.counts["votes"] == 3
        assert verdict.counts["correct"] == correct
        assert verdict.counts["unambiguous"] == sum(not v.ambiguous for v in stand)


def amend_while_the_last_vote_decides(monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Return how many judges find a question unambiguous: by its verdict, and by their votes."""
    question = TwinFactory().questions.get(number=1)
    seats = opened_seats(question, 3)
    for seat in seats[:2]:
        vote(seat)
    decided, deciding, amended = verdicts.decided, threading.Event(), threading.Event()

    def decide_slowly(*args: Any) -> Any:
        decision = decided(*args)
        if not deciding.is_set():
            deciding.set()
            amended.wait(0.7)  # in vain, where the amendment has to wait for us
        return decision

    def amend() -> None:
        deciding.wait(5)
        seat = seats[0]
        services.amend_vote(
            worker=seat.worker, seat_id=seat.public_id, shown_option=1, ambiguous=True
        )
        amended.set()

    monkeypatch.setattr(verdicts, "decided", decide_slowly)
    results = at_once(partial(vote, seats[2]), amend)
    assert not any(isinstance(result, Exception) for result in results), results
    stand = Vote.objects.filter(question=question, ambiguous=False).count()
    return Verdict.objects.get(question=question).counts["unambiguous"], stand


def test_an_amendment_that_meets_the_verdict_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert amend_while_the_last_vote_decides(monkeypatch) == (2, 2)


def test_control_without_the_questions_lock_an_amendment_is_lost_to_the_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lock = "UPDATE OF question, seat"
    assert lock in statements.LOCK
    monkeypatch.setattr(statements, "LOCK", statements.LOCK.replace(lock, "UPDATE OF seat"))
    assert amend_while_the_last_vote_decides(monkeypatch) == (3, 2)


def test_two_tabs_that_beat_claim_ahead_and_vote_hold_two_seats_at_most() -> None:
    campaign, bob = CampaignFactory(), UserFactory()
    TwinFactory.create_batch(6, campaign=campaign, seats=3)
    ahead = partial(services.claim_seat, worker=bob, campaign=campaign, ahead=True)
    first = services.claim_seat(worker=bob, campaign=campaign)
    services.answer_local(worker=bob, seat_id=first.public_id, shown_option=None)
    beat = partial(services.beat, worker=bob, seat_id=first.public_id)
    results = at_once(ahead, ahead, ahead, beat, beat)
    assert all(isinstance(result, Seat) for result in results), results
    assert len({seat.pk for seat in results[:3]}) == 1
    assert Seat.objects.filter(worker=bob, voted_at=None).count() == 2
    first.worker = bob
    at_once(partial(vote, first), partial(vote, first), ahead, ahead)
    assert Seat.objects.filter(worker=bob, voted_at=None).count() <= 2
    assert Vote.objects.count() == LedgerEntry.objects.count() == 1


def test_two_writers_at_once_never_share_a_place() -> None:
    campaign = CampaignFactory()
    twins = TwinFactory.create_batch(6, campaign=campaign)
    results = at_once(*[partial(services.open_seats, twin=twin) for twin in twins])
    assert results == [None] * len(twins)
    firsts = Seat.objects.filter(number=1).values_list("place", flat=True)
    assert len(firsts) == len(set(firsts)) == 12
