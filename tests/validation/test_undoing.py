"""Undoing an action on many questions: exactly what has not changed since is as it was before."""

from typing import Any

import pytest

from collection.models import Campaign, Question
from tests.factories import CampaignFactory, UserFactory
from tests.refusals import refusal
from tests.validation.deciding import a_question, audit_log, give, waiting
from tests.validation.test_bulk import act, outcomes, some
from validation.models import BulkAction, Case, GoldQuestion, TwinReturn, Verdict
from validation.services.golds import add_gold, retire_gold
from validation.services.review.adjudication import decide_question, look_at_reports
from validation.services.review.bulk import (
    confirm_bulk,
    execute_undo,
    prepare_bulk,
    request_undo,
)
from validation.services.verdicts.questions import revision_of
from winoplatform import clock
from workers.models import User


def undo(action: BulkAction) -> list[str]:
    requested = request_undo(action_id=action.public_id, campaign=action.campaign, by=action.by)
    assert execute_undo(action=requested, seconds=60) == 0
    return outcomes(action)


def voted(campaign: Campaign, *right: bool, **fields: Any) -> Question:
    [question] = some(campaign, 1)
    give(question, *right, **fields)
    return question


def stands(question: Question) -> tuple[Any, ...]:
    """What an undo restores: the verdict with its origin, the case, and use as a control."""
    verdicts = Verdict.objects.filter(question=question)
    cases = Case.objects.filter(question=question)
    golds = GoldQuestion.objects.filter(question=question)
    return (
        list(verdicts.values_list("valid", "reasons", "counts", "decided_by")),
        list(cases.values_list("rank", "closed_at", "appealed", "suspected", "returned")),
        list(golds.values_list("retired_at", "origin")),
        waiting(question),
        TwinReturn.objects.filter(twin=question.twin).count(),
    )


@pytest.mark.parametrize("kind", ["valid", "invalid", "exclude", "return"])
@pytest.mark.parametrize("right", [(), (True,), (True, True, True), (True, False, False)])
def test_votes_and_their_absence_stand_again(
    kind: str, right: tuple[bool, ...], campaign: Campaign, dana: User
) -> None:
    question = voted(campaign, *right)
    before = stands(question)
    reasons = ["ambiguous"] if kind == "invalid" else []
    action = act(campaign, kind, [question], dana, reasons=reasons)
    assert outcomes(action) == ["done"]
    assert stands(question) != before
    assert undo(action) == ["undone"]
    assert stands(question) == before
    assert "undone" in audit_log(question)


def test_an_earlier_decision_of_another_curator_stands_again(
    campaign: Campaign, dana: User
) -> None:
    question, erin = voted(campaign, True, True, True), UserFactory(curator=True)
    decide_question(
        question_id=question.public_id,
        valid=False,
        reasons=["local"],
        note="",
        revision=revision_of(question),
        by=erin,
    )
    before = stands(question)
    for kind in ("valid", "return"):
        action = act(campaign, kind, [question], dana)
        assert undo(action) == ["undone"]
        assert stands(question) == before


def test_a_control_question_that_a_decision_retired_is_one_again(
    campaign: Campaign, dana: User
) -> None:
    question = voted(campaign, True, True, True)
    add_gold(campaign=campaign, question_id=question.public_id, by=dana)
    action = act(campaign, "exclude", [question], dana)
    assert not GoldQuestion.objects.in_use().exists()
    assert undo(action) == ["undone"]
    assert GoldQuestion.objects.in_use().get().retired_for == ""


def test_control_questions_of_the_action_are_retired_and_others_stay(
    campaign: Campaign, dana: User
) -> None:
    questions = [voted(campaign, True, True, True) for _ in range(3)]
    GoldQuestion.objects.all().delete()
    old = add_gold(campaign=campaign, question_id=questions[0].public_id, by=dana)
    action = act(campaign, "gold", questions, dana, note="")
    assert outcomes(action) == ["refused", "done", "done"]
    retire_gold(gold_id=GoldQuestion.objects.get(question=questions[1]).public_id)
    assert undo(action) == ["refused", "stays", "undone"]
    assert list(GoldQuestion.objects.in_use()) == [old]


def test_what_has_changed_since_stays_and_says_so(campaign: Campaign, dana: User) -> None:
    questions = [voted(campaign, True, True) for _ in range(3)]
    action = act(campaign, "exclude", questions[:2], dana)
    decide_question(
        question_id=questions[0].public_id,
        valid=True,
        note="It is fine.",
        revision=revision_of(questions[0]),
        by=UserFactory(curator=True),
    )
    before = stands(questions[0])
    assert undo(action) == ["stays", "undone"]
    assert "has changed since" in action.items.get(number=1).message
    assert stands(questions[0]) == before
    assert not Verdict.objects.filter(question=questions[1]).exists()


def test_a_changed_question_keeps_its_whole_twin_returned(campaign: Campaign, dana: User) -> None:
    question = voted(campaign, True, True, True, report="offensive")
    action = act(campaign, "return", [question], dana)
    other = question.twin.questions.exclude(pk=question.pk).get()
    give(other)  # no seat is open: nothing changes
    Case.objects.filter(question=question).update(reports_seen=0)
    look_at_reports(
        question_id=question.public_id, note="", revision=revision_of(question), by=dana
    )
    assert undo(action) == ["stays"]
    assert TwinReturn.objects.filter(twin=question.twin).exists()


def test_an_undo_is_executed_once_and_only_when_finished(campaign: Campaign, dana: User) -> None:
    question = voted(campaign, True, True, True)
    action = act(campaign, "exclude", [question], dana)
    assert undo(action) == undo(action) == ["undone"]
    assert audit_log(question).count("undone") == 1
    prepared = prepare_bulk(campaign=campaign, kind="valid", questions=[question.pk], by=dana)
    asked: dict[str, Any] = {"campaign": campaign, "by": dana, "action_id": prepared.public_id}
    assert refusal(request_undo, **asked).code == "not_finished"
    assert refusal(execute_undo, action=prepared).code == "undo_not_requested"
    confirm_bulk(note="Seen.", **asked)
    assert refusal(request_undo, **asked).code == "not_finished"
    others = asked | {"by": UserFactory(curator=True)}
    assert refusal(request_undo, **others).code == "not_found"
    elsewhere = asked | {"campaign": CampaignFactory()}
    assert refusal(request_undo, **elsewhere).code == "not_found"


def test_without_budget_an_undo_stops_and_goes_on_when_there_is_some(
    campaign: Campaign, dana: User
) -> None:
    questions = [voted(campaign, True, True) for _ in range(2)]
    before = [stands(question) for question in questions]
    action = act(campaign, "exclude", questions, dana)
    Campaign.objects.filter(pk=campaign.pk).update(budget_cap=0)
    requested = request_undo(action_id=action.public_id, campaign=campaign, by=dana)
    for _ in range(2):
        refused = refusal(execute_undo, action=requested, seconds=60)
        assert refused.code == "budget_exhausted"
        assert "Raise the budget" in refused.message
        assert outcomes(action) == ["done", "done"]
    Campaign.objects.filter(pk=campaign.pk).update(budget_cap=None)
    assert undo(action) == ["undone", "undone"]
    assert [stands(question) for question in questions] == before


def test_a_question_of_a_withdrawn_twin_stays_and_says_so(campaign: Campaign, dana: User) -> None:
    question = voted(campaign, True, True)
    action = act(campaign, "exclude", [question], dana)
    type(question.twin).objects.update(withdrawn_at=clock.now())
    assert undo(action) == ["stays"]
    assert "withdrawn or revised" in action.items.get().message


def test_what_is_not_on_record_stays(campaign: Campaign, dana: User) -> None:
    question = a_question()
    action = act(question.twin.campaign, "exclude", [question], dana)
    action.items.update(record=None)
    assert undo(action) == ["stays"]
    assert not Verdict.objects.get(question=question).valid
