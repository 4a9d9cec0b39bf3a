"""What a publication would send."""

import uuid
from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request

from corpora.models import Release
from publishing import services
from publishing.api import serializers
from winoplatform.api.runs import CuratorRows
from winoplatform.api.views import validated_query


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
