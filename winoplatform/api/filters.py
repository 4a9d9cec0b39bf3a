"""What lists of runs are filtered by."""

from django_filters import rest_framework as filters

from winoplatform.runs.models import RunStatus


class RunFilter(filters.FilterSet):
    """Any kind of run: by status, and by what it began with."""

    status = filters.ChoiceFilter(choices=RunStatus.choices)


def of_campaign(lookup: str) -> filters.CharFilter:
    """Choose rows by the slug of the campaign at the end of *lookup*."""
    return filters.CharFilter(field_name=lookup, help_text="Slug of the campaign.")
