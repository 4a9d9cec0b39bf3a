"""What a publication would send, and errata of releases."""

import uuid
from typing import Any

from django.db.models import QuerySet
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from corpora.models import Release
from publishing import services
from publishing.api import serializers
from winoplatform.api.permissions import AnyoneReads
from winoplatform.api.runs import CuratorRows
from winoplatform.api.views import VisibleRows, validated_query
from workers.api.callers import caller


class PublicationPlan(CuratorRows):
    queryset = Release.objects.select_related("snapshot")
    query = serializers.PlaceQuerySerializer
    gives = serializers.PlanSerializer
    refuses = 409

    def visible(self, rows: Any) -> QuerySet[Any]:
        own: QuerySet[Any] = rows.filter(Release.of_member(self.request.user))
        return own

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """Return what a publication would send: files, sizes, sums, visibility; send nothing."""
        query = validated_query(serializers.PlaceQuerySerializer, request)
        return services.plan_publication(release=self.get_object(), to=query["to"])


class Errata(VisibleRows):
    queryset = Release.objects.select_related("snapshot")
    permission_classes = [AnyoneReads]
    takes = serializers.NewErratumSerializer
    gives: Any = {
        "GET": [serializers.ErratumSerializer],
        "POST": serializers.ErratumSerializer,
    }
    refuses = 409

    def visible(self, rows: Any) -> QuerySet[Any]:
        if self.request.method in SAFE_METHODS:
            return rows.visible_to(self.request.user)  # type: ignore[no-any-return]
        own: QuerySet[Any] = rows.filter(Release.of_member(self.request.user))
        return own

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """List the errata of a release, oldest first."""
        return self.get_object().errata.all()

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Add an erratum to a release; it is sent where copies stand, and never changes.

        The same erratum again with the same key gives the one that is stored.
        """
        asked = self.body()
        return services.add_erratum(
            release=self.get_object(),
            text=asked["text"],
            key=asked["client_key"],
            by=caller(request),
        )
