"""What makes, turns and takes away a verdict: votes, extra votes, and the audit log of it all."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collection.models import Campaign, Question
from tests.factories import SeatFactory, UserFactory, VoteFactory
from tests.validation.deciding import a_question, audit_log, give, settled, waiting
from validation.models import Case, GoldQuestion, Seat, Verdict, VerdictEvent, Vote
from validation.services.verdicts.verdicts import settle
from winoplatform.db import prepared
from winoplatform.db.prepared import rows

Action = VerdictEvent.Action


def test_the_last_vote_decides_and_the_audit_log_says_so(question: Question) -> None:
    give(question, True, True)
    assert not Verdict.objects.exists()
    give(question, False)
    assert question.verdict.valid
    [event] = question.verdict_events.all()
    assert (event.action, event.by, event.before) == (Action.DECIDED_BY_VOTES, None, None)
    assert event.after["counts"] == {"votes": 3, "correct": 2, "unambiguous": 3, "local": 0}


def test_settling_twice_changes_nothing(question: Question) -> None:
    give(question, True, True, True)
    made_at = Verdict.objects.get().created_at
    settled(question)
    assert audit_log(question) == [Action.DECIDED_BY_VOTES]
    assert Verdict.objects.get().created_at == made_at


def test_an_incomplete_question_costs_one_query(monkeypatch: pytest.MonkeyPatch) -> None:
    question = a_question(extra_votes_max=2)
    give(question, True)
    campaign = question.twin.campaign
    asked: list[str] = []

    def counted(sql: str, values: Any) -> list[tuple[Any, ...]]:
        asked.append(sql)
        return rows(sql, values)

    monkeypatch.setattr(prepared, "rows", counted)
    with CaptureQueriesContext(connection) as others:
        settle(question=question, campaign=campaign, now=timezone.now())
    assert (len(asked), len(others)) == (1, 0)


def test_the_audit_log_can_be_neither_changed_nor_deleted(question: Question) -> None:
    give(question, True, True, True)
    events = VerdictEvent.objects.filter(question=question)
    for change in (lambda: events.update(reason="other"), events.delete):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()
    assert events.get().reason == ""


# -- one more vote ---------------------------------------------------------------------------------
def test_a_split_question_gets_another_vote_where_the_campaign_asks_for_it() -> None:
    question = a_question(extra_votes_max=2)
    give(question, True, True, False)
    assert not Verdict.objects.exists()
    assert audit_log(question) == [Action.ASKED_ONE_MORE]
    assert waiting(question) == 1
    give(question, True)
    # Of five votes, three are right already: the fifth cannot turn it.
    assert (question.verdict.valid, waiting(question)) == (True, 0)
    assert question.verdict.counts["votes"] == 4


def test_the_votes_end_at_the_cap_and_a_tie_is_no_majority() -> None:
    question = a_question(extra_votes_max=1)
    give(question, True, True, False)
    give(question, False)
    assert waiting(question) == 0
    assert (question.verdict.valid, question.verdict.reasons) == (False, ["wrong_answer"])


def test_who_agrees_is_asked_no_more() -> None:
    question = a_question(extra_votes_max=6)
    give(question, False, False, False)
    assert (question.verdict.valid, waiting(question)) == (False, 0)


def test_under_unanimity_one_wrong_vote_ends_it() -> None:
    question = a_question(extra_votes_max=6, verdict_policy=Campaign.Policy.UNANIMOUS)
    give(question, True, True, False)
    assert (question.verdict.valid, waiting(question)) == (False, 0)


def test_where_the_budget_is_spent_the_votes_that_are_there_decide() -> None:
    question = a_question(extra_votes_max=2, budget_cap=Decimal("0.00"))
    give(question, True, True, False)
    assert (question.verdict.valid, waiting(question)) == (True, 0)


def test_a_closed_campaign_decides_with_what_is_there() -> None:
    question = a_question(extra_votes_max=2)
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    question.twin.campaign.refresh_from_db()
    give(question, True, True, False)
    assert question.verdict.valid


def test_an_amended_vote_takes_an_idle_extra_seat_back() -> None:
    question = a_question(extra_votes_max=2)
    *_, last = give(question, True, True, False)
    Vote.objects.filter(pk=last.pk).update(option=question.answer)
    assert settled(question) is not None
    assert waiting(question) == 0


def test_an_extra_seat_in_a_validators_hands_stays_although_it_is_idle() -> None:
    question = a_question(extra_votes_max=2)
    *_, last = give(question, True, True, False)
    seat = Seat.objects.get(question=question, answered_at=None)
    later = timezone.now() + timedelta(minutes=3)
    Seat.objects.filter(pk=seat.pk).update(worker=UserFactory(), leased_until=later)
    Vote.objects.filter(pk=last.pk).update(option=question.answer)
    assert settled(question) is None
    assert waiting(question) == 1


def test_an_amended_vote_turns_the_verdict_and_leaves_both_in_the_audit_log() -> None:
    question = a_question()
    give(question, True, True, False)
    Vote.objects.filter(question=question, option=question.answer).update(
        option=3 - question.answer
    )
    verdict = settled(question)
    assert verdict is not None
    assert not verdict.valid
    event = question.verdict_events.first()
    assert (event.before["valid"], event.after["valid"]) == (True, False)


# -- what never counts -----------------------------------------------------------------------------
def test_votes_excluded_and_answers_to_gold_questions_count_for_nothing(question: Question) -> None:
    give(question, False, False)
    Vote.objects.filter(question=question).update(
        excluded_at=timezone.now(), exclusion_reason="hasty"
    )
    gold = GoldQuestion.objects.create(
        campaign=question.twin.campaign, question=question, origin="chosen"
    )
    validator = UserFactory()
    seat = SeatFactory(
        question=question,
        number=None,
        gold=gold,
        worker=validator,
        opened=True,
        answered_at=timezone.now(),
    )
    VoteFactory(seat=seat, worker=validator, question=question, wrong=True, is_gold=True)
    give(question, True)
    assert question.verdict.counts == {"votes": 1, "correct": 1, "unambiguous": 1, "local": 0}


# -- the review queue ------------------------------------------------------------------------------
def test_a_split_lies_on_the_desk_and_agreement_does_not() -> None:
    split, clear = a_question(), a_question()
    give(split, True, True, False)
    give(clear, True, True, True)
    [case] = Case.objects.all()
    assert (case.question, case.rank, case.campaign) == (split, 333, split.twin.campaign)


def test_a_report_comes_before_any_split(question: Question) -> None:
    give(question, True, True)
    give(question, True, report=Vote.Report.OFFENSIVE)
    case = Case.objects.get()
    assert (case.rank, case.reports, case.closed_at) == (1000, 1, None)
