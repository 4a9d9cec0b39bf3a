"""Questions with votes and verdicts, for the tests of what curators do with them."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from collection.models import Campaign, Question
from tests.factories import AssignmentFactory, TwinFactory, UserFactory, VoteFactory
from validation.models import Seat, Verdict, Vote
from validation.services.verdicts.verdicts import settle
from workers.models import User


def a_question(seats: int = 3, **campaign: Any) -> Question:
    """The first question of a twin written for an assignment, with its seats open."""
    fields = {f"campaign__{name}": value for name, value in campaign.items()}
    twin = TwinFactory(seats=seats, **fields)
    twin.assignment = AssignmentFactory(
        campaign=twin.campaign, worker=twin.author, status="submitted"
    )
    twin.save(update_fields=["assignment"])
    return twin.questions.get(number=1)


def voted_question(campaign: Campaign, author: User, *right: bool, **fields: Any) -> Question:
    """A question of a twin of this author, written for an assignment, with its votes."""
    twin = TwinFactory(campaign=campaign, author=author, seats=3)
    twin.assignment = AssignmentFactory(campaign=campaign, worker=author, status="submitted")
    twin.save(update_fields=["assignment"])
    question = twin.questions.get(number=1)
    give(question, *right, **fields)
    return question


def give(question: Question, *right: bool, **fields: Any) -> list[Vote]:
    """Cast a vote in as many of the question's open seats, right or wrong, and settle each."""
    given = []
    for is_right in right:
        seat = (
            Seat.objects.filter(question=question, answered_at=None).numbered().earliest("number")
        )
        validator, now = UserFactory(), timezone.now()
        Seat.objects.filter(pk=seat.pk).update(
            worker=validator, leased_until=now, local_at=now, answered_at=now
        )
        seat.refresh_from_db()
        vote = VoteFactory(
            seat=seat, worker=validator, question=question, wrong=not is_right, **fields
        )
        given.append(vote)
        settled(question)
    return given


def settled(question: Question) -> Verdict | None:
    with transaction.atomic():
        settle(question=question, campaign=question.twin.campaign, now=timezone.now())
    return Verdict.objects.filter(question=question).first()


def audit_log(question: Question) -> list[str]:
    """What happened to a question, the oldest first."""
    return list(question.verdict_events.order_by("pk").values_list("action", flat=True))


def waiting(question: Question) -> int:
    return Seat.objects.filter(question=question, answered_at=None).numbered().count()
