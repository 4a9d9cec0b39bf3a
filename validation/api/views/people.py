"""Workers with counts of their work."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from collection.selectors.known_people import known_to, known_worker
from validation.api.filters import WorkerFilter
from validation.api.serializers.people import WorkerSerializer
from validation.selectors import people
from winoplatform.api.permissions import IsCurator
from winoplatform.api.schema import File, Refusal
from winoplatform.api.views import AnyAccept, CuratorView, DetailView, ListView, VisibleRows
from winoplatform.http.rights import Right
from winoplatform.http.scopes import PAY
from workers import services
from workers.api import serializers
from workers.api.callers import caller
from workers.api.views import StatementView
from workers.models import AuditEvent, User

TAG = "workers"


class PeopleRows(VisibleRows):
    """Workers, for curators only."""

    queryset = User.objects.filter(role=User.Role.WORKER)
    serializer_class = WorkerSerializer
    permission_classes = [IsCurator]

    def visible(self, rows: Any) -> "QuerySet[Any]":
        visible_rows: QuerySet[Any] = rows.filter(known_to(caller(self.request)))
        return visible_rows


class Workers(PeopleRows, ListView):
    filterset_class = WorkerFilter
    gives = [WorkerSerializer]
    refuses = 403

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the people who work in your campaigns, with counts of that work, newest first."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        rows = people(list(page or []), caller(request))
        context = {"request": request}
        return self.get_paginated_response(WorkerSerializer(rows, many=True, context=context).data)


class OneWorker(PeopleRows, DetailView):
    gives = WorkerSerializer
    refuses = 403

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return one worker with counts of their work."""
        [worker] = people([self.get_object()], caller(request))
        return worker


class LabelWorker(CuratorView):
    changes = Right.DATA
    takes = serializers.PersonLabelSerializer
    gives = {"PUT": WorkerSerializer}

    def put(self, request: Request, id: str) -> Any:
        """Store your own label for a worker, in place of the last one; an empty one deletes it."""
        worker = known_worker(caller(request), id)
        services.label_person(worker=worker, by=caller(request), **self.body())
        [labelled] = people([worker], caller(request))
        return labelled


class PauseWorker(CuratorView):
    changes = Right.DECIDE
    takes = serializers.ReasonSerializer
    gives = serializers.PauseSerializer
    refuses = Refusal("already_paused")

    def post(self, request: Request, id: str) -> Any:
        """Pause a worker, with a reason shown to them; they may finish assigned work."""
        worker = known_worker(caller(request), id)
        reason = self.body()["reason"]
        return services.pause_worker(worker=worker, reason=reason, by=caller(request))


class ResumeWorker(CuratorView):
    changes = Right.DECIDE
    gives = serializers.PauseSerializer
    refuses = Refusal("not_paused")

    def post(self, request: Request, id: str) -> Any:
        """End a worker's pause; its record is kept."""
        return services.resume_worker(worker=known_worker(caller(request), id))


class _OfWorker(StatementView):
    reads = Right.PAY
    permission_classes = [IsCurator]
    serializer_class = serializers.StatementSerializer
    refuses = 400

    def worker(self) -> User:
        return known_worker(caller(self.request), self.kwargs["id"])


class WorkerStatement(_OfWorker):
    def get(self, request: Request, id: str) -> Any:
        """What one worker is owed, by campaign."""
        return self.statement()


class WorkerStatementFile(_OfWorker):
    scope = PAY
    audits = AuditEvent.Kind.PAY_FILE
    content_negotiation_class = AnyAccept
    gives = File("text/csv")

    def get(self, request: Request, id: str) -> Any:
        """All entries of one worker as CSV, oldest first."""
        return self.file()
