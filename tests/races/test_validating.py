"""A crowd at the queue: every question gets exactly its votes, from people who may validate it."""

import threading
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models import Count, F

from collection.models import Campaign
from tests.factories import CampaignFactory, TwinFactory
from tests.races.crowd import (
    make_questions,
    make_users,
    naive_vote,
    tally,
    work,
    work_in_processes,
)
from tests.races.statements import disabled_triggers, without
from tests.races.threads import at_once
from tests.races.validating import opened_seats, vote
from validation import services
from validation.models import Seat, Verdict, Vote
from validation.services.validating import statements
from validation.services.verdicts import verdicts
from workers.models import LedgerEntry, User

QUESTIONS = 120  # each the last for one of them: two validators meet at every seat


def crowd(campaign: Campaign, *, questions: int) -> list[User]:
    """Twenty-four validators, who have written the questions between them."""
    validators = make_users("validator", 24)
    make_questions(campaign, questions, authors=validators)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE validation_seat")
    return validators


@pytest.mark.long
def test_24_validators_give_every_question_exactly_three_votes() -> None:
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
    validators = crowd(campaign, questions=60)
    Seat.objects.all().delete()
    work(validators, campaign, cycle=naive_vote)
    assert tally(campaign).over > 0


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
    """Count who finds a question unambiguous: by its verdict, and by the votes."""
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
    without('"collection_question", ', statements.locking(), monkeypatch)
    # The triggers lock the question's facts, which serializes the two votes as well.
    with disabled_triggers("validation_vote"):
        assert amend_while_the_last_vote_decides(monkeypatch) == (3, 2)
