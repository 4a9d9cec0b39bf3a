"""Gold questions with how often they were answered rightly, and why they are asked no more."""

from typing import Any

from django.db.models import (
    BooleanField,
    Count,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

from collection.models import Question
from validation.models import GoldQuestion, Vote, is_public


def with_answers(golds: QuerySet[GoldQuestion]) -> "QuerySet[Any]":
    """Count the answers to each gold question, and the right ones: the author's, and sure of it."""
    given = Vote.objects.filter(seat__gold=OuterRef("pk"), excluded_at=None)
    right = given.filter(option=F("question__answer"), ambiguous=False)
    counted: QuerySet[Any] = golds.annotate(
        n_answers=_count(given),
        n_right=_count(right),
        is_public=ExpressionWrapper(is_public("question__twin"), BooleanField()),
    )
    return counted.select_related("campaign", "question__twin", "created_by")


def is_public_question(question: Question) -> bool:
    """Whether the answer of a question can be read outside; see ``models.is_public``."""
    return Question.objects.filter(is_public("twin"), pk=question.pk).exists()


def why_retired(gold: Any) -> str:
    """Return a ``GoldQuestion.Retirement``, or nothing for a gold of ``with_answers`` in use.

    One that was chosen while its release was made has no note of it, but is not asked either.
    """
    return gold.retired_for or (GoldQuestion.Retirement.PUBLIC.value if gold.is_public else "")


def _count(votes: QuerySet[Vote]) -> Any:
    by_gold = votes.order_by().values("seat__gold").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(by_gold, output_field=IntegerField()), 0)
