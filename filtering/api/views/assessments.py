"""The evidence of what a filter run did: ask for it, watch it, have the report. For curators."""

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
from filtering.models import Assessment
from winoplatform.api.runs import (
    CancelView,
    CuratorRows,
    ResumeView,
    RunDetailView,
    RunListView,
)
from winoplatform.api.schema import operation, request_example
from winoplatform.api.views import AnyAccept, download, validated
from winoplatform.errors import DomainError
from workers.api.callers import caller

ASSESSMENTS = Assessment.objects.select_related("filter_run", "created_by")


class Assessments(RunListView):
    queryset = ASSESSMENTS
    serializer_class = serializers.AssessmentSerializer
    filterset_class = filters.AssessmentFilter

    @operation(
        "assessments_list",
        tag=TAG,
        answers={200: serializers.AssessmentSerializer(many=True)},
        refusals=[400, 403],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the assessments."""
        return self.list(request)

    @operation(
        "assessments_create",
        tag=TAG,
        request=serializers.NewAssessmentSerializer,
        answers={201: serializers.AssessmentSerializer},
        refusals=[400, 403, 409],
        examples=[request_example("again", {"filter_run": RUN_ID})],
    )
    def post(self, request: Request) -> Response:
        """Measure what a filter run did to the biases; each run is assessed once by itself."""
        asked = validated(serializers.NewAssessmentSerializer, request)
        return self.started(services.start_assessment(by=caller(request), **asked))


class OneAssessment(RunDetailView):
    queryset = ASSESSMENTS.prefetch_related("steps")
    serializer_class = serializers.AssessmentDetailSerializer

    @operation(
        "assessments_retrieve",
        tag=TAG,
        answers={200: serializers.AssessmentDetailSerializer},
        refusals=[403, 404],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One assessment, how far it is, and each kind of evidence as soon as it is there."""
        return self.retrieve(request)


class CancelAssessment(CancelView):
    queryset = ASSESSMENTS
    serializer_class = serializers.AssessmentSerializer

    @operation(
        "assessments_cancel",
        tag=TAG,
        request=None,
        answers={200: serializers.AssessmentSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End an assessment: at once where it waits, at its next step where it runs."""
        return self.cancel()


class ResumeAssessment(ResumeView):
    queryset = ASSESSMENTS
    serializer_class = serializers.AssessmentSerializer

    @operation(
        "assessments_resume",
        tag=TAG,
        request=None,
        answers={200: serializers.AssessmentSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Take up an assessment that failed or was cancelled, after its last part."""
        return self.resume()


class AssessmentReport(CuratorRows):
    queryset = Assessment.objects.select_related("report")
    content_negotiation_class = AnyAccept

    @operation(
        "assessments_report",
        tag=TAG,
        answers={
            (200, "application/json"): OpenApiResponse(
                OpenApiTypes.OBJECT, "All parts as one canonical JSON document."
            )
        },
        refusals=[403, 404, 409],
    )
    def get(self, request: Request, id: uuid.UUID) -> HttpResponseBase:
        """The report of a finished assessment; the same run and seed give the same bytes."""
        report = self.get_object().report
        if report is None:
            raise DomainError(
                "run_not_done",
                "This assessment has no report yet; look at its status.",
                status=409,
            )
        return download(
            request, report, name=f"assessment-{id}.json", content_type="application/json"
        )
