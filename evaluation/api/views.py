"""Models under test, and the whole way from votes to a first evaluation. For curators."""

import uuid
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api.views.campaigns import visible_campaign
from evaluation import services
from evaluation.api import serializers
from evaluation.api.filters import EvaluationFilter
from evaluation.models import Evaluation
from winoplatform.api.permissions import IsCurator
from winoplatform.api.runs import CancelView, CuratorRows, ResumeView, RunDetailView, RunListView
from winoplatform.api.schema import operation, request_example
from winoplatform.api.views import AnyAccept, download, validated
from winoplatform.errors import DomainError
from workers.api.callers import caller

TAG = "evaluation"
EVALUATIONS = Evaluation.objects.select_related("release", "created_by")
RELEASE_ID = "0f6f2f2e-54a3-4f55-8a51-7a1f0a4e4c0d"


class StartPipeline(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_pipeline",
        tag=TAG,
        request=serializers.NewPipelineSerializer,
        answers={201: serializers.PipelineSerializer},
        refusals=[400, 403, 404, 409],
        examples=[request_example("a first release", {"release_name": "v1"})],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Queue every stage at once: snapshot, encoding, AFLite, release and evaluations."""
        campaign = visible_campaign(request, slug)
        name = validated(serializers.NewPipelineSerializer, request)["release_name"]
        pipeline = services.start_pipeline(campaign=campaign, release_name=name, by=caller(request))
        return Response(serializers.PipelineSerializer(pipeline).data, status=201)


class Evaluations(RunListView):
    queryset = EVALUATIONS
    serializer_class = serializers.EvaluationSerializer
    filterset_class = EvaluationFilter

    @operation(
        "evaluations_list",
        tag=TAG,
        answers={200: serializers.EvaluationSerializer(many=True)},
        refusals=[400, 403],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the evaluations."""
        return self.list(request)

    @operation(
        "evaluations_create",
        tag=TAG,
        request=serializers.NewEvaluationSerializer,
        answers={201: serializers.EvaluationSerializer},
        refusals=[400, 403, 409],
        examples=[
            request_example(
                "a baseline", {"release": RELEASE_ID, "model": "linear", "split": "dev"}
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Score a model on one split of a release; it starts when the release is done."""
        asked = validated(serializers.NewEvaluationSerializer, request)
        return self.started(services.evaluate(by=caller(request), **asked))


class OneEvaluation(RunDetailView):
    queryset = EVALUATIONS
    serializer_class = serializers.EvaluationSerializer

    @operation(
        "evaluations_retrieve",
        tag=TAG,
        answers={200: serializers.EvaluationSerializer},
        refusals=[403, 404],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One evaluation, how far it is, and its metrics."""
        return self.retrieve(request)


class CancelEvaluation(CancelView):
    queryset = EVALUATIONS
    serializer_class = serializers.EvaluationSerializer

    @operation(
        "evaluations_cancel",
        tag=TAG,
        request=None,
        answers={200: serializers.EvaluationSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End an evaluation: at once where it waits, at its next step where it runs."""
        return self.cancel()


class ResumeEvaluation(ResumeView):
    queryset = EVALUATIONS
    serializer_class = serializers.EvaluationSerializer

    @operation(
        "evaluations_resume",
        tag=TAG,
        request=None,
        answers={200: serializers.EvaluationSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Take up an evaluation that failed or was cancelled."""
        return self.resume()


class Predictions(CuratorRows):
    queryset = Evaluation.objects.select_related("predictions")
    content_negotiation_class = AnyAccept

    @operation(
        "evaluations_predictions",
        tag=TAG,
        answers={
            (200, "application/x-ndjson"): OpenApiResponse(
                OpenApiTypes.BINARY, "JSON lines of qID and prediction (1 or 2), as published."
            )
        },
        refusals=[403, 404, 409],
    )
    def get(self, request: Request, id: uuid.UUID) -> HttpResponseBase:
        """What the model answered to each question of the split, one JSON object a line."""
        run = self.get_object()
        if run.predictions is None:
            raise DomainError(
                "run_not_done", "This run has no result yet; look at its status.", status=409
            )
        return download(
            request,
            run.predictions,
            name=f"predictions-{id}.jsonl",
            content_type="application/x-ndjson",
        )
