"""Workers with counts of their work."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from validation.api.filters import WorkerFilter
from validation.api.serializers.people import WorkerSerializer
from validation.selectors import people
from winoplatform.api.permissions import IsCurator
from winoplatform.api.views import DetailView, ListView, VisibleRows
from workers.models import User

TAG = "workers"


class PeopleRows(VisibleRows):
    """Workers, for curators only."""

    queryset = User.objects.filter(role=User.Role.WORKER)
    serializer_class = WorkerSerializer
    permission_classes = [IsCurator]

    def visible(self, rows: Any) -> "QuerySet[Any]":
        visible_rows: QuerySet[Any] = rows
        return visible_rows


class Workers(PeopleRows, ListView):
    filterset_class = WorkerFilter
    gives = [WorkerSerializer]
    refuses = 403

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List workers with counts of their work in all campaigns, newest first."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        rows = people(list(page or []))
        return self.get_paginated_response(WorkerSerializer(rows, many=True).data)


class OneWorker(PeopleRows, DetailView):
    gives = WorkerSerializer
    refuses = 403

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return one worker with counts of their work."""
        [worker] = people([self.get_object()])
        return worker
