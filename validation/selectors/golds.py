"""Gold questions with their counts of right answers, and why they are retired."""

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
    """Annotate each gold question with its number of answers and of right answers."""
    votes = Vote.objects.filter(seat__gold=OuterRef("pk"), excluded_at=None)
    right = votes.filter(option=F("question__answer"), ambiguous=False)
    counted: QuerySet[Any] = golds.annotate(
        n_answers=_count(votes),
        n_right=_count(right),
        is_public=ExpressionWrapper(is_public("question__twin"), BooleanField()),
    )
    return counted.select_related("campaign", "question__twin", "created_by")


def is_public_question(question: Question) -> bool:
    """Return whether the answer of a question is public; see ``models.is_public``."""
    return Question.objects.filter(is_public("twin"), pk=question.pk).exists()


def why_retired(gold: Any) -> str:
    """Return the ``GoldQuestion.Retirement`` of a gold from ``with_answers``; empty if in use.

    A gold that was chosen while its release was being made is not marked as retired, but is not
    asked either.
    """
    return gold.retired_for or (GoldQuestion.Retirement.PUBLIC.value if gold.is_public else "")


def _count(votes: QuerySet[Vote]) -> Any:
    by_gold = votes.order_by().values("seat__gold").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(by_gold, output_field=IntegerField()), 0)
