"""Likely label errors, and words that may offend, in the review queue."""

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign, Question
from tests.api.calls import API, ok
from tests.factories import (
    SENTENCES,
    AssignmentFactory,
    CampaignFactory,
)
from tests.refusals import refusal
from tests.validation.deciding import a_question, give
from tests.writing import submit, withdraw
from validation.models import Case, Verdict, VerdictEvent
from validation.selectors.review_queue import OPEN, review_queue
from validation.services.review.adjudication import decide_question, look_at_reports
from validation.services.review.suspicions import offer_question
from validation.services.verdicts.questions import revision_of
from workers.models import User


@pytest.fixture
def question() -> Question:
    """A question that all validators found right."""
    found = a_question()
    give(found, True, True, True)
    return found


def offer(question: Question, dana: User, reason: str = "Hard in every epoch.") -> None:
    campaign = question.twin.campaign
    offer_question(question_id=question.public_id, campaign=campaign, reason=reason, by=dana)


def in_queue(question: Question) -> bool:
    return Case.objects.filter(question=question).exists() and (
        question.pk in review_queue(question.twin.campaign, state=OPEN).values_list("pk", flat=True)
    )


def decide(question: Question, dana: User, **more: object) -> None:
    given = {"question_id": question.public_id, "revision": revision_of(question), "by": dana}
    decide_question(**given, note="Read.", valid=True, **more)


def test_an_offered_question_waits_in_the_queue_and_its_verdict_stands(
    question: Question, dana: User
) -> None:
    assert not in_queue(question)
    before = Verdict.objects.get(question=question)
    offer(question, dana)
    assert in_queue(question)
    assert Verdict.objects.get(question=question) == before
    event = VerdictEvent.objects.filter(question=question).first()
    assert (event.action, event.reason, event.by) == ("suspected", "Hard in every epoch.", dana)
    assert event.before == event.after


def test_an_offer_ranks_as_a_report(question: Question, dana: User) -> None:
    offer(question, dana)
    assert Case.objects.get().rank == 1_000


def test_a_decision_ends_it_and_a_resolved_question_can_be_offered_again(
    question: Question, dana: User
) -> None:
    offer(question, dana)
    decide(question, dana)
    assert not in_queue(question)
    assert not Case.objects.get().suspected
    offer(question, dana)
    assert in_queue(question)


def test_a_curator_who_keeps_the_label_takes_it_out_of_the_queue(
    question: Question, dana: User
) -> None:
    offer(question, dana)
    given = {"question_id": question.public_id, "revision": revision_of(question), "by": dana}
    look_at_reports(**given, note="The label is right.")
    assert not in_queue(question)


def test_a_decision_made_before_the_offer_was_seen_is_refused(
    question: Question, dana: User
) -> None:
    seen = revision_of(question)
    offer(question, dana)
    late = {"question_id": question.public_id, "revision": seen, "by": dana, "note": "Read."}
    assert refusal(decide_question, **late, valid=True).code == "changed_meanwhile"


def test_a_question_is_offered_once(question: Question, dana: User) -> None:
    offer(question, dana)
    error = refusal(offer, question=question, dana=dana)
    assert (error.code, error.status) == ("offered_already", 409)
    assert VerdictEvent.objects.filter(action="suspected").count() == 1


def test_a_reason_is_needed(question: Question, dana: User) -> None:
    assert refusal(offer, question=question, dana=dana, reason="  ").code == "reason_missing"


def test_a_question_of_another_campaign_is_not_found(question: Question, dana: User) -> None:
    other: Campaign = CampaignFactory()
    given = {"question_id": question.public_id, "reason": "Hard.", "by": dana}
    assert refusal(offer_question, **given, campaign=other).code == "not_found"
    assert not Case.objects.exists()


def test_a_withdrawn_question_is_refused(dana: User) -> None:
    question = a_question()
    withdraw(question.twin)
    assert refusal(offer, question=question, dana=dana).code == "question_withdrawn"


@pytest.fixture
def rude() -> Question:
    """The question of a submitted twin whose sentence has a word that may offend."""
    assignment = AssignmentFactory()
    first, second = SENTENCES
    twin = submit(assignment, sentences=(first.replace(" the ", " the shitty ", 1), second))
    found: Question = twin.questions.get(number=1)
    return found


def test_words_that_may_offend_bring_their_question_alone_into_the_queue(rude: Question) -> None:
    assert in_queue(rude)
    assert list(Case.objects.values_list("question", flat=True)) == [rude.pk]
    event = VerdictEvent.objects.get(question=rude)
    assert (event.action, event.reason, event.by) == ("flagged", "shitty", None)
    assert (event.before, event.after) == (None, None)


def test_votes_leave_a_flagged_question_in_the_queue_until_a_curator_has_read_it(
    rude: Question, dana: User
) -> None:
    give(rude, True, True, True)
    assert Verdict.objects.get(question=rude).valid
    assert in_queue(rude)
    given = {"question_id": rude.public_id, "revision": revision_of(rude), "by": dana}
    look_at_reports(**given, note="The words are fine.")
    assert not in_queue(rude)
    assert refusal(
        look_at_reports, **given | {"revision": revision_of(rude)}, note="Again."
    ).code == ("no_report")


def test_a_decision_ends_the_mark_of_words(rude: Question, dana: User) -> None:
    decide(rude, dana)
    assert not Case.objects.get().flagged


def test_the_api_tells_curators_which_questions_are_flagged(rude: Question, dana: User) -> None:
    client = APIClient()
    client.force_authenticate(dana)
    address = f"{API}campaigns/{rude.twin.campaign.slug}/review/"
    [case] = ok(client.get(address, {"flagged": True}))["results"]
    assert (case["question"], case["flagged"], case["suspected"]) == (rude.public_id, True, False)
    assert ok(client.get(address, {"flagged": False}))["results"] == []
