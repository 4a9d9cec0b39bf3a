"""The facts of a question are those of its rows, whatever changed them."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from collection.models import Campaign, Question, Twin
from tests.factories import SeatFactory, TwinFactory, UserFactory, VerdictFactory, VoteFactory
from tests.validation.deciding import a_question, give
from validation.core.votes import step_seconds
from validation.exports.campaigns import opened
from validation.models import QuestionFacts, Seat, Verdict, Vote
from validation.selectors import question_state
from validation.selectors.case_detail import WITH_ALL, case_detail
from validation.selectors.quality.columns import votes_of
from validation.services.review.adjudication import decide_question, reopen
from validation.services.review.exclusions import exclude, restore
from validation.services.review.returns import return_for_revision
from validation.services.verdicts.questions import revision_of, revisions_of


def as_stored(question: Question) -> dict[str, Any]:
    facts = QuestionFacts.objects.filter(pk=question.pk).values().get()
    return {name: value for name, value in facts.items() if name != "question_id"}


def as_it_is(question: Question) -> dict[str, Any]:
    """The facts from the rows themselves, slowly."""
    found = Question.objects.select_related("twin", "verdict").get(pk=question.pk)
    votes = list(Vote.objects.counting().filter(question=found))
    verdict: Verdict | None = getattr(found, "verdict", None)
    return {
        "campaign_id": found.twin.campaign_id,
        "twin_id": found.twin_id,
        "author_id": found.twin.author_id,
        "domain": found.twin.domain,
        "anchor": found.twin.anchor_key,
        "state": question_state(found).value,
        "reasons": sorted(verdict.reasons) if verdict else [],
        "n_votes": len(votes),
        "n_right": sum(vote.option == found.answer for vote in votes),
        "validators": sorted(vote.worker_id for vote in votes),
    }


def assert_true(*questions: Question) -> None:
    for question in questions:
        assert as_stored(question) == as_it_is(question)


def test_facts_follow_votes_decisions_exclusions_and_returns() -> None:
    question, dana = a_question(), UserFactory(curator=True)
    both = list(question.twin.questions.all())
    assert_true(*both)
    first, *_ = give(question, True, False, True)
    assert_true(*both)
    assert as_stored(question)["n_right"] == 2
    change: dict[str, Any] = {"question_id": question.public_id, "note": "Why.", "by": dana}
    exclude(vote_id=first.public_id, reason="Hasty.", by=dana)
    assert_true(*both)
    restore(vote_id=first.public_id, reason="Not hasty.", by=dana)
    assert_true(*both)
    for how in ({"valid": True}, {"valid": False, "reasons": ["local", "ambiguous"]},
                {"valid": False, "reasons": ["excluded_by_curator"]}):  # fmt: skip
        decide_question(**change, revision=revision_of(question), **how)
        assert_true(*both)
    reopen(**change, revision=revision_of(question))
    assert_true(*both)
    return_for_revision(**change, revision=revision_of(question))
    assert_true(*both)
    assert {as_stored(each)["state"] for each in both} == {"returned"}


def test_facts_follow_changes_of_whole_tables() -> None:
    questions = [TwinFactory().questions.get(number=1) for _ in range(3)]
    published = TwinFactory(published=True).questions.get(number=1)
    for question in questions:
        VerdictFactory(question=question)
    Twin.objects.filter(questions__in=questions[:2]).update(
        withdrawn_at=timezone.now(), domain="social", anchor_key="lamp"
    )
    Verdict.objects.filter(question=questions[2]).delete()
    assert_true(*questions, published)
    states = [as_stored(each)["state"] for each in (*questions, published)]
    assert states == ["withdrawn", "withdrawn", "awaiting_votes", "published"]


def test_facts_are_deleted_with_their_question() -> None:
    question = TwinFactory().questions.get(number=1)
    question.delete()
    assert not QuestionFacts.objects.filter(pk=question.pk).exists()


def test_the_facts_of_rows_that_were_there_before_are_the_same(question: Question) -> None:
    give(question, True, True)
    before = as_stored(question)
    QuestionFacts.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT validation_write_facts(ARRAY[%s]::bigint[])", [question.pk])
    assert as_stored(question) == before


def test_revisions_of_many_are_those_of_each() -> None:
    questions = [a_question() for _ in range(3)]
    give(questions[0], True, True, report="offensive")
    decide_question(
        question_id=questions[1].public_id,
        valid=True,
        note="Clear.",
        revision=revision_of(questions[1]),
        by=UserFactory(curator=True),
    )
    found = revisions_of(each.pk for each in questions)
    assert found == {each.pk: revision_of(each) for each in questions}


def fetched_ahead(campaign: Campaign) -> Vote:
    """A vote whose seat was taken 100 s before; its validator was busy elsewhere until 20 s."""
    validator, now = UserFactory(), timezone.now()
    for ended, begun in ((20, 60), (0, 5)):
        question = TwinFactory(campaign=campaign).questions.get(number=1)
        at = now - timedelta(seconds=ended)
        times = {
            "claimed_at": now - timedelta(seconds=100),
            "local_at": now - timedelta(seconds=begun),
            "answered_at": at,
        }
        seat = SeatFactory(question=question, worker=validator, opened=True)
        Seat.objects.filter(pk=seat.pk).update(**times)
        vote = VoteFactory(seat=seat, worker=validator, question=question, created_at=at)
    return vote


def test_a_question_that_was_fetched_ahead_is_read_from_the_vote_before_it(
    campaign: Campaign,
) -> None:
    vote = fetched_ahead(campaign)
    [shown] = case_detail(WITH_ALL.get(pk=vote.question_id), report=None).votes
    assert (shown.local_seconds, shown.seconds) == pytest.approx((15, 5))
    first, second = step_seconds(votes_of(campaign))
    assert (first[-1], second[-1]) == pytest.approx((15, 5))
    lines = b"".join(opened(campaign, "votes", "jsonl").blocks).splitlines()
    assert float(json.loads(lines[-1])["seconds_local"]) == pytest.approx(15)
