"""Pay statements: what a worker has earned, by state."""

from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from winoplatform.api.permissions import IsCurator
from winoplatform.api.schema import File
from winoplatform.api.views import AnyAccept, VisibleRows
from winoplatform.http.scopes import PAY
from workers import selectors, services
from workers.api import serializers
from workers.api.callers import caller
from workers.api.filters import StatementFilter
from workers.exports import statement_response
from workers.models import AuditEvent, LedgerEntry, User


class StatementView(VisibleRows):
    queryset = LedgerEntry.objects.all()
    filterset_class = StatementFilter
    pagination_class = None

    def worker(self) -> User:
        """Return the caller, or the worker that a curator selects."""
        if "id" in self.kwargs:
            return services.worker_named(self.kwargs["id"])
        return caller(self.request)

    def entries(self) -> QuerySet[LedgerEntry]:
        return self.filter_queryset(self.get_queryset().filter(worker=self.worker())).order_by("pk")

    def statement(self) -> Response:
        shown = {
            "worker": self.worker().public_id,
            "campaigns": selectors.balances(self.entries()),
        }
        return Response(serializers.StatementSerializer(shown).data)

    def file(self) -> StreamingHttpResponse:
        lines = selectors.statement_lines(self.entries(), reader=caller(self.request))
        return statement_response(lines, self.worker())


class MyStatement(StatementView):
    serializer_class = serializers.StatementSerializer
    refuses = 400

    def get(self, request: Request) -> Response:
        """What you are owed, what is exported and what is paid, by campaign."""
        return self.statement()


class MyStatementFile(StatementView):
    content_negotiation_class = AnyAccept
    serializer_class = serializers.StatementSerializer
    gives = File("text/csv")
    refuses = 400

    def get(self, request: Request) -> Any:
        """All your entries as CSV, oldest first."""
        return self.file()


class WorkerStatement(StatementView):
    serializer_class = serializers.StatementSerializer
    permission_classes = [IsCurator]
    refuses = 400

    def get(self, request: Request, id: str) -> Response:
        """What one worker is owed, by campaign."""
        return self.statement()


class WorkerStatementFile(StatementView):
    scope = PAY
    audits = AuditEvent.Kind.PAY_FILE
    content_negotiation_class = AnyAccept
    serializer_class = serializers.StatementSerializer
    permission_classes = [IsCurator]
    gives = File("text/csv")
    refuses = 400

    def get(self, request: Request, id: str) -> Any:
        """All entries of one worker as CSV, oldest first."""
        return self.file()
