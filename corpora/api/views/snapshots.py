"""Snapshots. For curators."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from corpora import services
from corpora.api import filters, serializers
from corpora.api.examples import TAG
from corpora.models import Snapshot
from winoplatform.api.runs import CancelView, ResumeView, RunDetailView, RunListView
from winoplatform.api.schema import operation, request_example
from winoplatform.api.views import validated
from workers.api.callers import caller

SNAPSHOTS = Snapshot.objects.select_related("campaign", "created_by")


class Snapshots(RunListView):
    queryset = SNAPSHOTS
    serializer_class = serializers.SnapshotSerializer
    filterset_class = filters.SnapshotFilter

    @operation(
        "snapshots_list",
        tag=TAG,
        answers={200: serializers.SnapshotSerializer(many=True)},
        refusals=[400, 403],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the snapshots."""
        return self.list(request)

    @operation(
        "snapshots_create",
        tag=TAG,
        request=serializers.NewSnapshotSerializer,
        answers={201: serializers.SnapshotSerializer},
        refusals=[400, 403, 409],
        examples=[request_example("freeze", {"campaign": "winter"})],
    )
    def post(self, request: Request) -> Response:
        """Freeze a campaign's valid questions."""
        asked = validated(serializers.NewSnapshotSerializer, request)
        return self.started(services.take_snapshot(by=caller(request), **asked))


class OneSnapshot(RunDetailView):
    queryset = SNAPSHOTS
    serializer_class = serializers.SnapshotSerializer

    @operation(
        "snapshots_retrieve",
        tag=TAG,
        answers={200: serializers.SnapshotSerializer},
        refusals=[403, 404],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One snapshot and how far it is."""
        return self.retrieve(request)


class CancelSnapshot(CancelView):
    queryset = SNAPSHOTS
    serializer_class = serializers.SnapshotSerializer

    @operation(
        "snapshots_cancel",
        tag=TAG,
        request=None,
        answers={200: serializers.SnapshotSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End a snapshot: at once where it waits, at its next step where it runs."""
        return self.cancel()


class ResumeSnapshot(ResumeView):
    queryset = SNAPSHOTS
    serializer_class = serializers.SnapshotSerializer

    @operation(
        "snapshots_resume",
        tag=TAG,
        request=None,
        answers={200: serializers.SnapshotSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Take up a snapshot that failed or was cancelled: of the time it was asked for."""
        return self.resume()
