"""Soft rejection: a vote is paid and not used, another one takes its place, and the way back."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from collection.models import Campaign, Question
from tests.factories import LedgerEntryFactory, SeatFactory, UserFactory, VoteFactory
from tests.refusals import refusal
from tests.validation.deciding import a_question, audit_log, give, settled, waiting
from validation import services
from validation.models import GoldQuestion, Seat, Verdict, VerdictEvent, Vote
from validation.services.review import exclusions
from validation.services.review.adjudication import ask_one_more, decide_question
from validation.services.review.exclusions import exclude, exclude_all, restore
from validation.services.verdicts.questions import revision_of
from workers.models import LedgerEntry, User

Action = VerdictEvent.Action


def excluding(vote: Vote, dana: User, reason: str = "Two seconds.") -> Vote:
    return exclude(vote_id=vote.public_id, reason=reason, by=dana)


def test_another_validator_is_asked_and_the_verdict_waits(dana: User, question: Question) -> None:
    first, *_ = give(question, False, True, True)
    excluding(first, dana)
    assert not Verdict.objects.exists()
    assert waiting(question) == 1
    assert audit_log(question)[1:] == [Action.VOTE_EXCLUDED, Action.REOPENED]
    give(question, True)
    assert Verdict.objects.get().counts == {"votes": 3, "correct": 3, "unambiguous": 3, "local": 0}


def test_the_worker_keeps_the_pay_and_reads_why(dana: User, question: Question) -> None:
    [vote] = give(question, True)
    LedgerEntryFactory(worker=vote.worker, unit=str(vote.public_id))
    excluding(vote, dana)
    vote.refresh_from_db()
    assert (vote.exclusion_reason, vote.excluded_by) == ("Two seconds.", dana)
    assert LedgerEntry.objects.get().amount == Decimal("0.03")


def test_whose_vote_was_excluded_does_not_validate_the_twin_again(dana: User) -> None:
    question = a_question()
    [vote] = give(question, True)
    excluding(vote, dana)
    campaign = question.twin.campaign
    assert refusal(services.claim_seat, worker=vote.worker, campaign=campaign).code == "queue_empty"


def test_it_says_why_or_is_refused(dana: User) -> None:
    [vote] = give(a_question(), True)
    assert refusal(excluding, vote=vote, dana=dana, reason="  ").code == "reason_missing"


def test_excluding_twice_is_the_same_as_once(dana: User, question: Question) -> None:
    [vote] = give(question, True)
    excluding(vote, dana)
    excluding(vote, dana, reason="Another reason.")
    assert waiting(question) == 3
    assert Vote.objects.get().exclusion_reason == "Two seconds."


def test_without_money_for_another_vote_the_others_decide(dana: User, question: Question) -> None:
    first, *_ = give(question, False, True, True)
    Campaign.objects.update(budget_cap=0)
    excluding(first, dana)
    assert Verdict.objects.get().counts["votes"] == 2
    assert waiting(question) == 0


def test_without_any_vote_there_is_no_verdict(dana: User) -> None:
    question = a_question(seats=1, votes_per_question=1)
    [vote] = give(question, True)
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    excluding(vote, dana)
    assert not Verdict.objects.exists()
    assert audit_log(question)[-1] == Action.REOPENED


def test_what_a_curator_has_decided_stays_and_is_noted(dana: User, question: Question) -> None:
    first, *_ = give(question, True, True, True)
    decide_question(
        question_id=question.public_id,
        valid=True,
        note="Yes.",
        revision=revision_of(question),
        by=dana,
    )
    excluding(first, dana)
    assert waiting(question) == 0
    assert (Verdict.objects.get().valid, Verdict.objects.get().counts["votes"]) == (True, 2)
    assert audit_log(question)[-2:] == [Action.VOTE_EXCLUDED, Action.NOTED]


def test_a_vote_restored_counts_and_the_seat_in_its_place_goes(dana: User) -> None:
    question = a_question()
    first, *_ = give(question, False, True, True)
    before = Verdict.objects.get().counts
    excluding(first, dana)
    restore(vote_id=first.public_id, reason="It was honest.", by=dana)
    assert waiting(question) == 0
    assert Verdict.objects.get().counts == before
    assert Vote.objects.get(pk=first.pk).excluded_at is None


def ask_more(question: Question, dana: User) -> None:
    ask_one_more(
        question_id=question.public_id, note="More.", revision=revision_of(question), by=dana
    )


def test_a_seat_that_a_curator_asked_for_stays_when_a_vote_is_restored(dana: User) -> None:
    question = a_question()
    first, *_ = give(question, True, True, False)
    ask_more(question, dana)
    excluding(first, dana)
    restore(vote_id=first.public_id, reason="It was honest.", by=dana)
    assert waiting(question) == 1
    assert not Verdict.objects.exists()


def test_of_two_seats_the_one_opened_for_the_vote_goes(dana: User, question: Question) -> None:
    first, *_ = give(question, True, True, False)
    excluding(first, dana)
    replacement = Seat.objects.get(question=question, answered_at=None)
    ask_more(question, dana)
    restore(vote_id=first.public_id, reason="It was honest.", by=dana)
    left = Seat.objects.get(question=question, answered_at=None)
    assert left.number == replacement.number + 1


def test_who_sits_in_the_place_of_a_restored_vote_may_end(dana: User, question: Question) -> None:
    first, *_ = give(question, True, True, True)
    excluding(first, dana)
    seat = services.claim_seat(worker=UserFactory(), campaign=question.twin.campaign)
    restore(vote_id=first.public_id, reason="", by=dana)
    assert Seat.objects.filter(pk=seat.pk).exists()
    give(question, True)
    assert Verdict.objects.get().counts["votes"] == 4


def test_an_answer_to_a_gold_question_asks_for_nobody_else(dana: User, question: Question) -> None:
    give(question, True, True, True)
    gold = GoldQuestion.objects.create(
        campaign=question.twin.campaign, question=question, origin="chosen"
    )
    validator = UserFactory()
    seat = SeatFactory(
        question=question, number=None, gold=gold, worker=validator, opened=True,
        answered_at=timezone.now(),
    )  # fmt: skip
    vote = VoteFactory(seat=seat, worker=validator, question=question, is_gold=True)
    excluding(vote, dana)
    assert waiting(question) == 0
    assert Verdict.objects.get().counts["votes"] == 3


def test_all_votes_of_a_worker_since_a_time_go_in_pieces(
    dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = [a_question() for _ in range(4)]
    campaign, validator = questions[0].twin.campaign, UserFactory()
    votes = [give(question, True)[0] for question in questions]
    Vote.objects.update(worker=validator)
    Seat.objects.filter(answered_at__isnull=False).update(worker=validator, campaign=campaign)
    since = timezone.now() - timedelta(hours=1)
    Vote.objects.filter(pk=votes[0].pk).update(created_at=since - timedelta(seconds=1))
    monkeypatch.setattr(exclusions, "AT_ONCE", 2)
    call: dict[str, Any] = {"worker": validator, "campaign": campaign, "since": since}
    done = exclude_all(**call, reason="A program.", by=dana)
    assert (done.done, done.left) == (2, 1)
    done = exclude_all(**call, reason="A program.", by=dana)
    assert (done.done, done.left) == (1, 0)
    assert Vote.objects.counting().get().pk == votes[0].pk


def test_settling_after_all_this_changes_nothing(dana: User) -> None:
    question = a_question(extra_votes_max=2)
    first, *_ = give(question, False, True, True)
    excluding(first, dana)
    events = audit_log(question)
    settled(question)
    assert audit_log(question) == events
