"""Workers with counts of their work."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from validation.api.filters import WorkerFilter
from validation.api.serializers import WorkerSerializer
from validation.selectors import people
from winoplatform.api.permissions import IsCurator
from winoplatform.api.views import DetailView, ListView, VisibleRows
from workers.models import User

TAG = "workers"
WORKER = {
    "id": "w-0123456789ab",
    "joined_at": "2026-01-01T12:00:00Z",
    "origin": "crowd",
    "platform": "Prolific",
    "paused": {"reason": "Please read the new guidelines.", "since": "2026-01-02T12:00:00Z"},
    "twins": 40,
    "withdrawn": 1,
    "votes": 0,
    "validated": 60,
    "valid": 45,
    "valid_share": 0.75,
    "typed": 9000,
    "pasted": 1000,
    "pasted_share": 0.1,
}


class PeopleRows(VisibleRows):
    """Workers, for curators only."""

    queryset = User.objects.filter(role=User.Role.WORKER)
    serializer_class = WorkerSerializer
    permission_classes = [IsCurator]

    def visible(self, rows: Any) -> "QuerySet[Any]":
        found: QuerySet[Any] = rows
        return found


class Workers(PeopleRows, ListView):
    filterset_class = WorkerFilter
    gives = [WorkerSerializer]
    refuses = 403
    answer_examples = {"a paused worker": WORKER}

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List workers with counts of their work in all campaigns, newest first."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        rows = people(list(page or []))
        return self.get_paginated_response(WorkerSerializer(rows, many=True).data)


class OneWorker(PeopleRows, DetailView):
    gives = WorkerSerializer
    refuses = 403
    answer_examples = {"a paused worker": WORKER}

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one worker with counts of their work."""
        [worker] = people([self.get_object()])
        return Response(WorkerSerializer(worker).data)
