"""Runs over HTTP: how far one is, how to end it, and how to take it up again."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from winoplatform.api.permissions import IsCurator
from winoplatform.api.views import DetailView, ListView, VisibleRows
from winoplatform.runs.frame import request_cancel
from winoplatform.runs.models import Run
from winoplatform.runs.resume import resume

RUN_FIELDS = (
    "id",
    "status",
    "done",
    "total",
    "share",
    "activity",
    "failure",
    "attempt",
    "cancel_requested",
    "wait_seconds",
    "run_seconds",
    "seconds_left",
    "created_by",
    "created_at",
    "started_at",
    "ended_at",
)


class RunSerializer(serializers.ModelSerializer[Any]):
    """The frame of any run; a subclass adds ``Meta``, the run's input, settings and results."""

    id = serializers.UUIDField(source="public_id", read_only=True)
    share = serializers.FloatField(read_only=True, help_text="How far, from 0 to 1.")
    wait_seconds = serializers.FloatField(read_only=True)
    run_seconds = serializers.FloatField(read_only=True)
    seconds_left = serializers.FloatField(
        read_only=True, allow_null=True, help_text="A guess at an even pace; null when unknown."
    )
    created_by = serializers.CharField(
        source="created_by.public_id",
        read_only=True,
        allow_null=True,
        default=None,
        help_text="Public id of who asked for it.",
    )


class CuratorRows(VisibleRows):
    """Rows that curators see all of and nobody else any."""

    permission_classes = [IsCurator]

    def visible(self, rows: Any) -> Any:
        return rows


class RunListView(CuratorRows, ListView):
    def started(self, run: Run) -> Response:
        """Answer a request for a new run: 201 with the row, which waits for a worker."""
        body = self.get_serializer(run).data
        return Response(body, status=201)


class RunDetailView(CuratorRows, DetailView):
    pass


class CancelView(CuratorRows):
    """Ends a run: at once where it waits, at its next step where it runs."""

    def cancel(self) -> Response:
        run = self.get_object()
        request_cancel(run)
        return Response(self.get_serializer(run).data)


class ResumeView(CuratorRows):
    """Takes a failed or cancelled run up again, from its recorded steps."""

    def resume(self) -> Response:
        run = self.get_object()
        resume(run)
        return Response(self.get_serializer(run).data)
