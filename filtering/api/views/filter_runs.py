"""Filtering: ask for a run, watch it, end it, have its result. For curators."""

import uuid
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from filtering import services
from filtering.api import filters, serializers
from filtering.api.examples import RUN_ID, TAG
from filtering.models import FilterRun
from winoplatform.api.runs import CancelView, CuratorRows, ResumeView, RunDetailView, RunListView
from winoplatform.api.schema import operation, request_example
from winoplatform.api.views import AnyAccept, download, validated
from winoplatform.errors import DomainError
from workers.api.callers import caller

FILTER_RUNS = FilterRun.objects.select_related("encoding", "reference", "selection", "created_by")


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
                "as published, with a seed", {"encoding": RUN_ID, "preset": "published", "seed": 7}
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Filter by AFLite; settings left out are the preset's."""
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


class ResumeFilterRun(ResumeView):
    queryset = FILTER_RUNS
    serializer_class = serializers.FilterRunSerializer

    @operation(
        "filter_runs_resume",
        tag=TAG,
        request=None,
        answers={200: serializers.FilterRunSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Take up a filter run that failed or was cancelled, after its last phase."""
        return self.resume()


class FilterRunControls(CuratorRows):
    queryset = FILTER_RUNS
    serializer_class = serializers.FilterRunSerializer

    @operation(
        "filter_runs_controls",
        tag=TAG,
        request=None,
        answers={201: serializers.FilterRunSerializer(many=True)},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Start the controls a run of AFLite has not got yet: random, and PMI by each score."""
        runs = services.start_controls(run=self.get_object(), by=caller(request))
        return Response(self.get_serializer(runs, many=True).data, status=201)


class KeptQuestions(CuratorRows):
    queryset = FilterRun.objects.select_related("selection__kept")
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
        kept = run.selection.kept
        if kept is None:
            raise DomainError(
                "run_not_done", "This run has no result yet; look at its status.", status=409
            )
        return download(request, kept, name=f"kept-{id}.txt", content_type="text/plain")
