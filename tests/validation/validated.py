"""Questions with votes, for the tests of quality."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from collection.models import Campaign, Question
from tests.factories import (
    TwinFactory,
    VoteFactory,
)
from workers.models import User

JANUARY = datetime(2026, 1, 15, 12, tzinfo=UTC)


def a_question(campaign: Campaign, **twin: Any) -> Question:
    return TwinFactory(campaign=campaign, **twin).questions.get(number=1)


def vote(question: Question, worker: User, *, right: bool = True, at: Any = None, **more: Any):
    """A vote whose steps took six and nine seconds."""
    at = at or timezone.now()
    return VoteFactory(
        question=question,
        worker=worker,
        wrong=not right,
        created_at=at,
        seat__claimed_at=at - timedelta(seconds=15),
        seat__local_at=at - timedelta(seconds=9),
        seat__answered_at=at,
        **more,
    )


def validated(campaign: Campaign, validators: list[User], *rights: bool, **more: Any) -> Question:
    question = a_question(campaign, **more.pop("twin", {}))
    for worker, right in zip(validators, rights, strict=False):
        vote(question, worker, right=right, **more)
    return question
