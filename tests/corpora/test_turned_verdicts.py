"""A snapshot holds what was valid when it was asked for, also where verdicts have turned since."""

from datetime import datetime, timedelta

from django.utils import timezone

from collection.models import Campaign, Question, Twin
from corpora.selectors import valid_questions
from tests.factories import AssignmentFactory, TwinFactory
from tests.validation.deciding import give
from validation.models import Verdict, VerdictEvent
from validation.services.review.adjudication import ask_one_more, decide_question, reopen
from validation.services.review.exclusions import exclude
from validation.services.review.returns import return_for_revision
from validation.services.verdicts.questions import revision_of
from workers.models import User


def a_question(campaign: Campaign, *right: bool) -> Question:
    twin = TwinFactory(campaign=campaign, seats=3)
    twin.assignment = AssignmentFactory(campaign=campaign, worker=twin.author, status="submitted")
    twin.save(update_fields=["assignment"])
    question = twin.questions.get(number=1)
    give(question, *right)
    return question


def change(question: Question, dana: User, **more: object) -> dict[str, object]:
    seen = revision_of(question)
    return {
        "question_id": question.public_id, "revision": seen, "note": "Why.", "by": dana, **more,
    }  # fmt: skip


def valid_at(campaign: Campaign, at: datetime) -> set[Question]:
    return set(valid_questions(campaign, at=at))


def test_what_was_turned_since_counts_as_it_was(campaign: Campaign, dana: User) -> None:
    good, bad, back, asked = (
        a_question(campaign, *votes) for votes in ([True] * 3, [False] * 3, [True] * 3, [True] * 3)
    )
    then = timezone.now()
    decide_question(**change(good, dana, valid=False, reasons=["ambiguous"]))
    decide_question(**change(bad, dana, valid=True))
    return_for_revision(**change(back, dana))
    ask_one_more(**change(asked, dana))
    assert valid_at(campaign, then) == {good, back, asked}
    assert valid_at(campaign, timezone.now()) == set(valid_questions(campaign)) == {bad}


def test_what_was_turned_twice_counts_as_it_was_first(campaign: Campaign, dana: User) -> None:
    question = a_question(campaign, True, True, True)
    then = timezone.now()
    decide_question(**change(question, dana, valid=False, reasons=["ambiguous"]))
    between = timezone.now()
    reopen(**change(question, dana))
    assert valid_at(campaign, then) == {question}
    assert valid_at(campaign, between) == set()
    assert valid_at(campaign, timezone.now()) == {question}


def test_what_was_decided_since_does_not_count(campaign: Campaign) -> None:
    then = timezone.now()
    a_question(campaign, True, True, True)
    assert valid_at(campaign, then) == set()


def test_a_vote_excluded_since_takes_nothing_out_of_the_past(
    campaign: Campaign, dana: User
) -> None:
    question = a_question(campaign, True, True, True)
    then = timezone.now()
    exclude(vote_id=question.votes.first().public_id, reason="Hasty.", by=dana)
    assert valid_at(campaign, then) == {question}
    assert valid_at(campaign, timezone.now()) == set()


def test_a_twin_withdrawn_since_was_there(campaign: Campaign) -> None:
    question = a_question(campaign, True, True, True)
    then = timezone.now()
    Twin.objects.update(withdrawn_at=then + timedelta(seconds=1))
    assert valid_at(campaign, then) == {question}
    assert valid_at(campaign, then + timedelta(seconds=2)) == set()


def test_verdicts_from_before_the_audit_log_count_from_their_date(campaign: Campaign) -> None:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    verdict = Verdict.objects.create(question=question, policy="majority", version=1, valid=True)
    assert not VerdictEvent.objects.exists()
    before, after = (verdict.created_at + timedelta(seconds=s) for s in (-1, 1))
    assert valid_at(campaign, before) == set()
    assert valid_at(campaign, after) == {question}
