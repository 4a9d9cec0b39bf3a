from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters

from corpora.models import Release
from winoplatform.api.filters import RunFilter


class OfOneSetFilter(RunFilter):
    """Runs over a release, a reference set or a snapshot."""

    release = filters.CharFilter(method="of_release", help_text="Name of the release.")
    reference_set = filters.CharFilter(
        field_name="reference_set__name", help_text="Name of the reference set."
    )
    snapshot = filters.UUIDFilter(field_name="snapshot__public_id")
    split = filters.CharFilter()

    def of_release(self, rows: "QuerySet[Any]", field: str, name: str) -> "QuerySet[Any]":
        return rows.filter(release__in=Release.objects.live().filter(name=name))


class ScoringFilter(OfOneSetFilter):
    method = filters.CharFilter()
    variant = filters.CharFilter()
    model = filters.CharFilter(help_text="The model as named in the request.")
    transformation = filters.CharFilter()
    knowledge_release = filters.UUIDFilter(field_name="knowledge_release__public_id")
    reasons = filters.CharFilter()
