"""Filters for lists of runs."""

from django_filters import rest_framework as filters

from winoplatform.runs.models import RunStatus


class RunFilter(filters.FilterSet):
    """Filters of every kind of run; subclasses add the run's input."""

    status = filters.ChoiceFilter(choices=RunStatus.choices)
    is_starred = filters.BooleanFilter()
    is_archived = filters.BooleanFilter(
        field_name="archived_at", lookup_expr="isnull", exclude=True, help_text="Left out of lists."
    )


def of_campaign(lookup: str) -> filters.CharFilter:
    """Filter rows by the slug of the campaign at the end of *lookup*."""
    return filters.CharFilter(field_name=lookup, help_text="Slug of the campaign.")
