"""Curators at the same moment, and a curator against a last vote: one goes first, all is kept."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from threading import Event
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from collection.models import Assignment, Question
from tests.factories import (
    AssignmentFactory,
    CampaignFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.races.threads import at_once
from tests.validation.deciding import audit_log, give
from validation import services
from validation.models import GoldQuestion, Verdict, Vote
from validation.services import golds
from validation.services.review import adjudication
from validation.services.review.adjudication import ask_one_more, decide_question, reopen
from validation.services.review.exclusions import exclude, restore
from validation.services.review.returns import return_for_revision
from validation.services.verdicts.questions import revision_of
from winoplatform.errors import DomainError
from workers.models import LedgerEntry

ROUNDS = 8


def a_question(*right: bool) -> Question:
    question = TwinFactory(seats=3).questions.get(number=1)
    give(question, *right)
    return question


def an_assignment(question: Question) -> Assignment:
    twin = question.twin
    return AssignmentFactory(campaign=twin.campaign, worker=twin.author, status="submitted")


def change(question: Question, **more: Any) -> dict[str, Any]:
    return {
        "question_id": question.public_id,
        "revision": revision_of(question),
        "note": "I have read it.",
        "by": UserFactory(curator=True),
        **more,
    }


def two_decisions(question: Question) -> list[Any]:
    yes = change(question, valid=True)
    no = change(question, valid=False, reasons=["ambiguous"])
    return at_once(lambda: decide_question(**yes), lambda: decide_question(**no))


def refusals(answers: list[Any]) -> list[str]:
    return [answer.code for answer in answers if isinstance(answer, DomainError)]


def test_of_two_curators_at_once_one_decides_and_the_other_looks_again() -> None:
    for _ in range(ROUNDS):
        question = a_question(True, True, False)
        assert refusals(two_decisions(question)) == ["changed_meanwhile"]
        assert audit_log(question).count("curator") == 1
        event = question.verdict_events.first()
        assert event.after["valid"] == Verdict.objects.get(question=question).valid


def test_control_without_the_check_the_second_overrides_what_it_has_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same race with the guard taken out: both decide, and one of them blindly."""
    monkeypatch.setattr(adjudication, "refuse_unless_seen", lambda question, revision: None)
    question = a_question(True, True, False)
    assert refusals(two_decisions(question)) == []
    assert audit_log(question).count("curator") == 2


@pytest.mark.parametrize("call", [ask_one_more, return_for_revision])
def test_a_decision_against_another_change_of_the_same_question(call: Callable[..., Any]) -> None:
    for _ in range(ROUNDS):
        question = a_question(True, True, False)
        question.twin.assignment = an_assignment(question)
        question.twin.save(update_fields=["assignment"])
        decision, other = change(question, valid=True), change(question)
        answers = at_once(lambda d=decision: decide_question(**d), lambda o=other: call(**o))
        assert refusals(answers) == ["changed_meanwhile"]


def test_a_decision_against_the_last_vote_loses_neither() -> None:
    for _ in range(ROUNDS):
        question = a_question(True, True)
        validator = UserFactory()
        seat = services.claim_seat(worker=validator, campaign=question.twin.campaign)
        mine = {"worker": validator, "seat_id": seat.public_id}
        services.answer_local(**mine, shown_option=None)
        decision = change(question, valid=False, reasons=["ambiguous"])
        answers = at_once(
            lambda d=decision: decide_question(**d),
            lambda m=mine: services.cast_vote(**m, shown_option=1, ambiguous=False),
        )
        assert isinstance(answers[1], Vote)
        assert LedgerEntry.objects.filter(worker=validator).count() == 1
        verdict = Verdict.objects.get(question=question)
        came_first = isinstance(answers[0], Verdict)
        assert refusals(answers) == ([] if came_first else ["changed_meanwhile"])
        assert (verdict.decided_by_id is not None) == came_first
        assert verdict.counts["votes"] == 3


def test_an_exclusion_against_a_vote_on_the_same_question_counts_right() -> None:
    for _ in range(ROUNDS):
        question = a_question(True, True)
        validator, dana = UserFactory(), UserFactory(curator=True)
        seat = services.claim_seat(worker=validator, campaign=question.twin.campaign)
        mine = {"worker": validator, "seat_id": seat.public_id}
        services.answer_local(**mine, shown_option=None)
        first = Vote.objects.filter(question=question).earliest("pk").public_id
        answers = at_once(
            lambda v=first, d=dana: exclude(vote_id=v, reason="Hasty.", by=d),
            lambda m=mine: services.cast_vote(**m, shown_option=1, ambiguous=False),
        )
        assert all(isinstance(answer, Vote) for answer in answers), answers
        waiting = question.seats.filter(answered_at=None).count()
        counted = Vote.objects.filter(question=question).counting().count()
        assert (counted, waiting) == (2, 1)
        assert not Verdict.objects.filter(question=question).exists()


def test_excluded_by_two_at_once_opens_one_seat() -> None:
    for _ in range(ROUNDS):
        question = a_question(True, True, True)
        first = Vote.objects.filter(question=question).earliest("pk").public_id
        curators = [UserFactory(curator=True) for _ in range(3)]
        at_once(*(partial(exclude, vote_id=first, reason="Hasty.", by=dana) for dana in curators))
        assert question.seats.filter(answered_at=None).count() == 1
        at_once(*(partial(restore, vote_id=first, reason="", by=dana) for dana in curators))
        assert question.seats.filter(answered_at=None).count() == 0
        assert Verdict.objects.get(question=question).counts["votes"] == 3


def test_two_curators_who_reopen_the_two_questions_of_a_twin_take_turns() -> None:
    for _ in range(ROUNDS):
        question = a_question(True, True, False)
        question.twin.assignment = an_assignment(question)
        question.twin.save(update_fields=["assignment"])
        other = question.twin.questions.get(number=2)
        return_for_revision(**change(question))
        calls = [change(each) for each in (question, other)]
        answers = at_once(*(partial(reopen, **call) for call in calls))
        assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "Question"]
        assert refusals(answers) == ["changed_meanwhile"]


def raced() -> Question:
    """Choose a question as gold, and publish it once it was found unpublished."""
    campaign = CampaignFactory(gold_share=Decimal("0.5"))
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    VerdictFactory(question=question)
    dana, checked, published = UserFactory(curator=True), Event(), Event()

    def choose() -> GoldQuestion:
        with transaction.atomic():
            gold = golds.add_gold(campaign=campaign, question_id=question.public_id, by=dana)
            checked.set()
            published.wait(10)
            return gold

    def publish() -> None:
        checked.wait(10)
        golds.note_published([question.sentence])
        published.set()

    assert [type(found) for found in at_once(choose, publish)] == [GoldQuestion, type(None)]
    return question


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golds._dice, "random", lambda: 0.0)


def test_a_gold_that_is_chosen_while_its_release_is_made_is_never_asked() -> None:
    question = raced()
    campaign, bob = question.twin.campaign, UserFactory()
    assert golds.seat_for(worker=bob, campaign=campaign, now=timezone.now()) is None
    assert not GoldQuestion.objects.in_use().exists()
    with pytest.raises(DomainError, match="public"):
        golds.add_gold(campaign=campaign, question_id=question.public_id, by=bob)


def test_without_what_is_noted_such_a_gold_is_in_use() -> None:
    """The control: the release retires what it finds, and nothing else is asked."""
    question = raced()
    assert GoldQuestion.objects.filter(question=question, retired_at=None).exists()
