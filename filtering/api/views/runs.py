"""Freezing, encoding and filtering: ask for a run, watch it, end it. For curators."""

import uuid
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api.views.campaigns import visible_campaign
from filtering import selectors, services
from filtering.api import filters, serializers
from filtering.models import Encoding, FilterRun, Snapshot
from winoplatform.api.permissions import IsCurator
from winoplatform.api.runs import CancelView, CuratorRows, RunDetailView, RunListView
from winoplatform.api.schema import operation, request_example
from winoplatform.api.views import AnyAccept, download, validated
from winoplatform.errors import DomainError
from workers.api.callers import caller

TAG = "filtering"
SNAPSHOTS = Snapshot.objects.select_related("campaign", "created_by")
ENCODINGS = Encoding.objects.select_related("snapshot", "created_by")
FILTER_RUNS = FilterRun.objects.select_related("encoding", "created_by")
RUN_ID = "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21"


class CampaignFunnel(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_funnel",
        tag=TAG,
        answers={200: serializers.FunnelSerializer},
        refusals=[403, 404],
    )
    def get(self, request: Request, slug: str) -> Response:
        """How many of a campaign's questions came how far: written, judged, valid, kept."""
        funnel = selectors.funnel(visible_campaign(request, slug))
        return Response(serializers.FunnelSerializer(funnel).data)


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


class Encodings(RunListView):
    queryset = ENCODINGS
    serializer_class = serializers.EncodingSerializer
    filterset_class = filters.EncodingFilter

    @operation(
        "encodings_list",
        tag=TAG,
        answers={200: serializers.EncodingSerializer(many=True)},
        refusals=[400, 403],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the encodings."""
        return self.list(request)

    @operation(
        "encodings_create",
        tag=TAG,
        request=serializers.NewEncodingSerializer,
        answers={201: serializers.EncodingSerializer},
        refusals=[400, 403],
        examples=[request_example("the installation's encoder", {"snapshot": RUN_ID})],
    )
    def post(self, request: Request) -> Response:
        """Encode every question of a snapshot; it starts when the snapshot is done."""
        asked = validated(serializers.NewEncodingSerializer, request)
        return self.started(services.encode(by=caller(request), **asked))


class OneEncoding(RunDetailView):
    queryset = ENCODINGS
    serializer_class = serializers.EncodingSerializer

    @operation(
        "encodings_retrieve",
        tag=TAG,
        answers={200: serializers.EncodingSerializer},
        refusals=[403, 404],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One encoding and how far it is."""
        return self.retrieve(request)


class CancelEncoding(CancelView):
    queryset = ENCODINGS
    serializer_class = serializers.EncodingSerializer

    @operation(
        "encodings_cancel",
        tag=TAG,
        request=None,
        answers={200: serializers.EncodingSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End an encoding: at once where it waits, at its next step where it runs."""
        return self.cancel()


class FilterRuns(RunListView):
    queryset = FILTER_RUNS
    serializer_class = serializers.FilterRunSerializer
    filterset_class = filters.FilterRunFilter

    @operation(
        "filter_runs_list",
        tag=TAG,
        answers={200: serializers.FilterRunSerializer(many=True)},
        refusals=[400, 403],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the filter runs."""
        return self.list(request)

    @operation(
        "filter_runs_create",
        tag=TAG,
        request=serializers.NewFilterRunSerializer,
        answers={201: serializers.FilterRunSerializer},
        refusals=[400, 403, 409],
        examples=[
            request_example(
                "a small set", {"encoding": RUN_ID, "n": 64, "m": 2000, "k": 200, "tau": 0.75}
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Filter by AFLite; what is left out has the paper's value."""
        asked = validated(serializers.NewFilterRunSerializer, request)
        return self.started(services.start_filter_run(by=caller(request), **asked))


class OneFilterRun(RunDetailView):
    queryset = FILTER_RUNS.prefetch_related("steps")
    serializer_class = serializers.FilterRunDetailSerializer

    @operation(
        "filter_runs_retrieve",
        tag=TAG,
        answers={200: serializers.FilterRunDetailSerializer},
        refusals=[403, 404],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One filter run, how far it is, and what each phase removed."""
        return self.retrieve(request)


class CancelFilterRun(CancelView):
    queryset = FILTER_RUNS
    serializer_class = serializers.FilterRunSerializer

    @operation(
        "filter_runs_cancel",
        tag=TAG,
        request=None,
        answers={200: serializers.FilterRunSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End a filter run: at once where it waits, at its next step where it runs."""
        return self.cancel()


class KeptQuestions(CuratorRows):
    queryset = FilterRun.objects.select_related("kept")
    content_negotiation_class = AnyAccept

    @operation(
        "filter_runs_kept",
        tag=TAG,
        answers={
            (200, "text/plain"): OpenApiResponse(
                OpenApiTypes.STR, "Ids of the questions that stay, one a line."
            )
        },
        refusals=[403, 404, 409],
    )
    def get(self, request: Request, id: uuid.UUID) -> HttpResponseBase:
        """The ids of the questions that a finished run kept, one a line."""
        run = self.get_object()
        if run.kept is None:
            raise DomainError(
                "run_not_done", "This run has no result yet; look at its status.", status=409
            )
        return download(request, run.kept, name=f"kept-{id}.txt", content_type="text/plain")
