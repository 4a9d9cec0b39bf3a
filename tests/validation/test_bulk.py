"""Actions on many questions: each question once, and every refusal is reported."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from collection.models import Campaign, Question
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VerdictFactory
from tests.refusals import refusal
from tests.validation.deciding import a_question
from validation.models import BulkAction, GoldQuestion, TwinReturn, Verdict, VerdictEvent
from validation.services.review.bulk import MOST, confirm_bulk, execute_bulk, prepare_bulk
from workers.models import User


def some(campaign: Campaign, n: int = 3) -> list[Question]:
    questions = []
    for _ in range(n):
        question = a_question()
        type(question.twin).objects.filter(pk=question.twin_id).update(campaign=campaign)
        questions.append(Question.objects.get(pk=question.pk))
    return questions


def act(campaign: Campaign, kind: str, questions: list[Question], by: User, **said: Any) -> Any:
    action = prepare_bulk(
        campaign=campaign, kind=kind, questions=[each.pk for each in questions], by=by
    )
    confirmed = confirm_bulk(
        action_id=action.public_id, campaign=campaign, by=by, **({"note": "Seen."} | said)
    )
    assert execute_bulk(action=confirmed, seconds=60) == 0
    return confirmed


def outcomes(action: BulkAction) -> list[str]:
    return list(action.items.order_by("number").values_list("outcome", flat=True))


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "valid", "reasons"),
    [
        ("valid", True, []),
        ("invalid", False, ["ambiguous"]),
        ("exclude", False, ["excluded_by_curator"]),
    ],
)
def test_each_question_is_decided(
    kind: str, valid: bool, reasons: list[str], campaign: Campaign, dana: User
) -> None:
    questions = some(campaign)
    said = reasons if kind == "invalid" else []
    action = act(campaign, kind, questions, dana, reasons=said)
    assert outcomes(action) == ["done"] * 3
    found = Verdict.objects.filter(question__in=questions).values_list("valid", "reasons")
    assert list(found) == [(valid, reasons)] * 3


def test_a_returned_twin_is_returned_once(campaign: Campaign, dana: User) -> None:
    [question] = some(campaign, 1)
    action = act(campaign, "return", list(question.twin.questions.all()), dana)
    assert outcomes(action) == ["done"]
    assert TwinReturn.objects.filter(twin=question.twin).count() == 1


def test_only_valid_questions_become_gold_and_the_others_say_why(
    campaign: Campaign, dana: User
) -> None:
    questions = [TwinFactory(campaign=campaign).questions.get(number=1) for _ in range(2)]
    VerdictFactory(question=questions[1])
    action = act(campaign, "gold", questions, dana, note="")
    assert outcomes(action) == ["refused", "done"]
    assert "Only a valid question" in action.items.get(number=1).message
    assert [gold.question for gold in GoldQuestion.objects.all()] == [questions[1]]


def test_a_second_click_does_nothing_twice(campaign: Campaign, dana: User) -> None:
    questions = some(campaign)
    action = act(campaign, "valid", questions, dana)
    again = confirm_bulk(
        action_id=action.public_id, campaign=campaign, by=dana, note="Another reason."
    )
    execute_bulk(action=again, seconds=60)
    assert again.note == "Seen."
    assert VerdictEvent.objects.filter(question__in=questions).count() == 3


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_processes_do_each_question_once() -> None:
    campaign, dana = CampaignFactory(), UserFactory(curator=True)
    questions = some(campaign, 8)
    action = prepare_bulk(
        campaign=campaign, kind="valid", questions=[each.pk for each in questions], by=dana
    )
    confirmed = confirm_bulk(action_id=action.public_id, campaign=campaign, by=dana, note="Seen.")

    def execute() -> None:
        try:
            execute_bulk(action=confirmed, seconds=60)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        for each in [pool.submit(execute) for _ in range(4)]:
            each.result()
    assert outcomes(confirmed) == ["done"] * 8
    assert VerdictEvent.objects.filter(question__in=questions).count() == 8


def test_what_was_stopped_goes_on_where_it_was(campaign: Campaign, dana: User) -> None:
    questions = some(campaign)
    keys = [each.pk for each in questions]
    action = prepare_bulk(campaign=campaign, kind="valid", questions=keys, by=dana)
    confirmed = confirm_bulk(action_id=action.public_id, campaign=campaign, by=dana, note="Seen.")
    assert execute_bulk(action=confirmed, seconds=0) == 3
    assert execute_bulk(action=confirmed, seconds=60) == 0
    assert outcomes(confirmed) == ["done"] * 3


@pytest.mark.parametrize("kind", ["valid", "return", "exclude", "gold"])
def test_only_not_valid_questions_take_reasons(kind: str, campaign: Campaign, dana: User) -> None:
    [question] = some(campaign, 1)
    action = prepare_bulk(campaign=campaign, kind=kind, questions=[question.pk], by=dana)
    said: dict[str, Any] = {"action_id": action.public_id, "campaign": campaign, "by": dana}
    refused = refusal(confirm_bulk, note="Seen.", reasons=["ambiguous"], **said)
    assert refused.code == "reasons_wrong"
    action.refresh_from_db()
    assert (action.reasons, action.confirmed_at) == ([], None)


def test_what_is_refused_as_a_whole(campaign: Campaign, dana: User) -> None:
    [question] = some(campaign, 1)
    ask: dict[str, Any] = {"campaign": campaign, "by": dana}
    keys = [question.pk]
    assert refusal(prepare_bulk, kind="burn", questions=keys, **ask).code == "unknown_action"
    assert refusal(prepare_bulk, kind="valid", questions=[], **ask).code == "nothing_chosen"
    many = range(MOST + 1)
    assert refusal(prepare_bulk, kind="valid", questions=many, **ask).code == "too_many"
    elsewhere = some(CampaignFactory(), 1)[0].pk
    assert (
        refusal(prepare_bulk, kind="valid", questions=[elsewhere], **ask).code == "nothing_chosen"
    )
    action = prepare_bulk(kind="invalid", questions=keys, **ask)
    assert refusal(execute_bulk, action=action).code == "not_confirmed"
    mine = ask | {"action_id": action.public_id}
    assert refusal(confirm_bulk, note=" ", **mine).code == "note_missing"
    assert refusal(confirm_bulk, note="x", **mine).code == "reasons_wrong"
    others = mine | {"by": UserFactory(curator=True)}
    assert refusal(confirm_bulk, note="x", **others).code == "not_found"
    unknown = mine | {"action_id": uuid.uuid4()}
    assert refusal(confirm_bulk, note="x", **unknown).code == "not_found"
