"""Filters for lists of runs, and of what belongs to a campaign."""

import uuid
from collections.abc import Callable
from typing import Any

from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters
from rest_framework import serializers

from winoplatform.runs.models import RunStatus


class RunFilter(filters.FilterSet):
    """Filters of every kind of run; subclasses add the run's input."""

    status = filters.ChoiceFilter(choices=RunStatus.choices)
    is_starred = filters.BooleanFilter()
    is_archived = filters.BooleanFilter(
        field_name="archived_at", lookup_expr="isnull", exclude=True, help_text="Left out of lists."
    )


SLUG_OR_ID = "Slug or id of the campaign."
_campaigns: list[Callable[[], "QuerySet[Any]"]] = []


def campaigns_are(rows: Callable[[], "QuerySet[Any]"]) -> None:
    """Say what the campaigns are, in whose app they are; budgets below it have only their ids."""
    _campaigns[:] = [rows]


def named(value: str, *, prefix: str = "") -> Q:
    """Return the condition that a campaign, looked up by *prefix*, has this slug or public id."""
    is_named = Q(**{f"{prefix}slug": value})
    id = _id_of(value)
    return is_named if id is None else is_named | Q(**{f"{prefix}public_id": id})


def campaign_field(help_text: str = SLUG_OR_ID) -> serializers.CharField:
    """Return the query parameter of a view without a filter set; for `named`."""
    return serializers.CharField(required=False, max_length=50, help_text=help_text)


class CampaignFilter(filters.CharFilter):
    """Filter by a campaign, named by its slug or its public id."""

    def filter(self, rows: "QuerySet[Any]", value: str) -> "QuerySet[Any]":
        return rows.filter(self.condition(value)) if value else rows

    def condition(self, value: str) -> Q:
        return named(value, prefix=f"{self.field_name}__")


class BudgetFilter(CampaignFilter):
    """Filter by the campaign that pays, whose id rows have as their ``budget``."""

    def condition(self, value: str) -> Q:
        # In one query: with one before it, an unknown name would be told by its time.
        is_named = Q(budget__in=[id] if (id := _id_of(value)) else [])
        for campaigns in _campaigns:
            is_named |= Q(budget__in=campaigns().filter(slug=value).values("public_id"))
        return is_named


def of_campaign(lookup: str) -> CampaignFilter:
    """Filter rows by the campaign at *lookup*."""
    return CampaignFilter(field_name=lookup, help_text=SLUG_OR_ID)


def of_budget() -> BudgetFilter:
    """Filter rows by the campaign that pays."""
    return BudgetFilter(field_name="budget", help_text="Slug or id of the campaign that pays.")


def _id_of(value: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(value)
    except ValueError:
        return None
