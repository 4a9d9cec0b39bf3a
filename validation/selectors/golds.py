"""Gold questions with how often they were answered rightly."""

from typing import Any

from django.db.models import Count, F, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from validation.models import GoldQuestion, Vote


def with_answers(golds: QuerySet[GoldQuestion]) -> "QuerySet[Any]":
    """Count the answers to each gold question, and the right ones: the author's, and sure of it."""
    given = Vote.objects.filter(seat__gold=OuterRef("pk"), set_aside_at=None)
    right = given.filter(option=F("question__answer"), ambiguous=False)
    counted: QuerySet[Any] = golds.annotate(n_answers=_count(given), n_right=_count(right))
    return counted.select_related("campaign", "question__twin", "created_by")


def _count(votes: QuerySet[Vote]) -> Any:
    by_gold = votes.order_by().values("seat__gold").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(by_gold, output_field=IntegerField()), 0)
