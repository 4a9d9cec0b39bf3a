"""A model's predictions, and the pipeline from votes to a first evaluation. For curators."""

from typing import Any

from django.http import HttpRequest
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from collection.api.views.campaigns import visible_campaign
from evaluation import services
from evaluation.api import serializers
from evaluation.core.predictions import format_of
from evaluation.models import Evaluation
from evaluation.selectors import api_evaluations
from winoplatform.api.permissions import CuratorsChange
from winoplatform.api.runs import ResultFile
from winoplatform.api.schema import File
from winoplatform.api.views import CuratorView
from winoplatform.errors import DomainError
from winoplatform.http.bodies import UPLOADED_BYTES, accept_files
from workers.api.callers import caller
from workers.models import AuditEvent


class StartPipeline(CuratorView):
    takes = serializers.NewPipelineSerializer
    gives = serializers.PipelineSerializer
    success = 201
    refuses = 409

    def post(self, request: Request, slug: str) -> Any:
        """Queue every stage at once: snapshot, encoding, AFLite, release and evaluations."""
        campaign = visible_campaign(request, slug)
        return services.start_pipeline(campaign=campaign, by=caller(request), **self.body())


class Ensembles(CuratorView):
    takes = serializers.NewEnsembleSerializer
    gives = serializers.EvaluationSerializer
    success = 201
    refuses = 409

    def post(self, request: Request) -> Any:
        """Combine evaluations that have scored the same questions or, by one method, statements.

        The same evaluations again return the same ensemble, unless it failed or was cancelled.
        """
        return services.combine(by=caller(request), **self.body())


class Uploads(CuratorView):
    parser_classes = [MultiPartParser]
    takes = serializers.UploadSerializer
    gives = serializers.EvaluationSerializer
    success = 201
    refuses = (409, 413)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Let the request send a file; its body is read after the permissions are checked."""
        self.limit = accept_files(request)
        return super().initialize_request(request, *args, **kwargs)

    def post(self, request: Request) -> Any:
        """Score a file of predictions made elsewhere, at most 4 MB."""
        if request.data is not None and self.limit.skipped:
            message = f"The file has more than {UPLOADED_BYTES >> 20} MB. Use the command "
            raise DomainError("too_large", f"{message}score_predictions --store.", status=413)
        data = self.body()
        data["format"] = data["format"] or format_of(data["file"].name or "")
        return services.store_predictions(by=caller(request), **data)


class Predictions(ResultFile):
    """The model's prediction for each question or statement, one JSON object per line."""

    audits = AuditEvent.Kind.LABELS_FILE

    queryset = Evaluation.objects.select_related("predictions")
    permission_classes = [CuratorsChange]
    gives = File(
        "application/x-ndjson",
        "JSON lines of qID, prediction (from 1; the first of tied options) and scores (one per "
        "option), as published. Both are null where the method has no answer, with the reason as "
        "“unanswered”; “evidence” has what the scores follow from. Dropped questions are absent. "
        "Of statements: id, variant, label, and for each seed answers (1 true, 0 false, 0.5 a "
        "tie) and margins (above 0 for true).",
        has_etag=True,
    )
    file_name = "predictions-{id}.jsonl"
    stored = "predictions"

    def visible(self, rows: Any) -> Any:
        return api_evaluations(caller(self.request), rows)
