"""The REST resources of evaluations on knowledge, and of their tables."""

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation import services
from evaluation.core.paper_tables import to_csv, to_latex
from evaluation.models import KnowledgeEvaluation, Scoring
from evaluation.selectors import (
    FilledTable,
    knowledge_evaluations_visible_to,
    knowledge_tables,
    reason_table,
    table_document,
)
from knowledge.core.published import TABLE_6
from knowledge.models import KnowledgeRelease
from winoplatform.api.fields import ByPublicId
from winoplatform.api.filters import RunFilter
from winoplatform.api.permissions import CuratorsChange
from winoplatform.api.runs import RUN_FIELDS, RUN_ID, ResultFile, RunSerializer
from winoplatform.api.schema import File
from winoplatform.api.views import AnyAccept, CuratorView, validated
from winoplatform.errors import DomainError
from winoplatform.models import Artifact
from workers.api.callers import caller
from workers.models import AuditEvent

OTHER_ID = "0f6f2f2e-54a3-4f55-8a51-7a1f0a4e4c0d"  # in examples
WRITERS: dict[str, tuple[Callable[..., str], str]] = {
    "csv": (to_csv, "text/csv; charset=utf-8"),
    "tex": (to_latex, "application/x-tex; charset=utf-8"),
}
METHODS = [
    choice
    for choice in KnowledgeEvaluation.Method.choices
    if choice[0] != KnowledgeEvaluation.Method.MAJORITY
]


class KnowledgeEvaluationSerializer(RunSerializer):
    release = serializers.UUIDField(
        source="release.public_id", allow_null=True, default=None, read_only=True
    )
    members: Any = serializers.SlugRelatedField(slug_field="public_id", many=True, read_only=True)
    system = serializers.CharField(read_only=True)
    warning = serializers.CharField(
        read_only=True, help_text="Set if the model's head is at chance level on plain text."
    )
    figures = serializers.DictField(
        allow_null=True,
        help_text="Of format 1: `counts` by subset (`all`, `valid`, `not circular`), `figures` by "
        "subset, variant and seed, `detectors` by variant, and what was `left_out`.",
    )

    class Meta:
        model = KnowledgeEvaluation
        fields = (
            *RUN_FIELDS, "release", "reasons", "method", "model", "dtype", "trained_on", "seeds",
            "is_frozen", "rates_of", "members", "system", "warning", "head_check",
            "weights_sha256", "config_sha256", "revision", "data_sha256", "code_version",
            "figures",
        )  # fmt: skip


class NewKnowledgeEvaluationSerializer(serializers.Serializer[Any]):
    release = ByPublicId(KnowledgeRelease.objects.all(), required=False)
    reasons = serializers.SlugField(
        allow_blank=True,
        default="",
        help_text="Instead of a release: a collection of imported reasons.",
    )
    method = serializers.ChoiceField(choices=METHODS)
    model = serializers.CharField(max_length=300, help_text="As for an evaluation.")
    dtype = serializers.ChoiceField(
        choices=Scoring.Dtypes.choices, default=Scoring.Dtypes.FLOAT32.value
    )
    trained_on = serializers.SlugField(
        allow_blank=True, default="", help_text="Of a classifier: reasons; winowhy if empty."
    )
    seeds = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=2**63 - 1),
        max_length=20,
        default=list,
        help_text="Of a classifier: the paper's five if empty.",
    )
    is_frozen = serializers.BooleanField(
        default=True, help_text="Of a classifier: train only the linear layer."
    )
    rates_of = serializers.ChoiceField(
        choices=list(TABLE_6),
        allow_blank=True,
        default="",
        help_text="Of a classifier: the model of the paper's Table 6 whose learning rates are "
        "used; the one most like the model if empty.",
    )


class NewMajoritySerializer(serializers.Serializer[Any]):
    members = serializers.ListField(
        child=ByPublicId(KnowledgeEvaluation.objects.all()),
        min_length=2,
        max_length=100,
        help_text="Evaluations by one method that are done and have scored the same statements.",
    )


class KnowledgeEvaluationFilter(RunFilter):
    release = filters.UUIDFilter(field_name="release__public_id")
    reasons = filters.CharFilter()
    method = filters.CharFilter()
    model = filters.CharFilter(help_text="The model as named in the request.")


class Majorities(CuratorView):
    takes = NewMajoritySerializer
    gives = KnowledgeEvaluationSerializer
    success = 201
    refuses = 409
    request_examples = {"of two models": {"members": [RUN_ID, OTHER_ID]}}

    def post(self, request: Request) -> Response:
        """Count the majority of evaluations on the same statements; ties count half.

        The same evaluations again return the same majority, unless it failed or was cancelled.
        """
        asked = validated(NewMajoritySerializer, request)
        made = services.count_majority(by=caller(request), **asked)
        return Response(KnowledgeEvaluationSerializer(made).data, status=201)


class KnowledgeAnswers(ResultFile):
    """The model's answer to each statement, one JSON object per line."""

    audits = AuditEvent.Kind.LABELS_FILE

    queryset = KnowledgeEvaluation.objects.select_related("answers")
    permission_classes = [CuratorsChange]
    gives = File(
        "application/x-ndjson",
        "JSON lines of id, variant, label, and for each seed answers (1 true, 0 false, 0.5 a tie) "
        "and margins (above 0 for true).",
        has_etag=True,
    )
    file_name = "knowledge-answers-{id}.jsonl"

    def visible(self, rows: Any) -> Any:
        return knowledge_evaluations_visible_to(caller(self.request), rows)

    def result(self, run: Any) -> Artifact | None:
        answers: Artifact | None = run.answers
        return answers


class KnowledgeTablesSerializer(serializers.Serializer[Any]):
    """Tables with published figures in percent, and those measured here as shares."""

    tables = serializers.ListField(
        child=serializers.DictField(),
        help_text="Of each `name`, `title`, `source`, `notes`, `columns` and `lines`; a line's "
        "cells have `published` and `measured`.",
    )


class KnowledgeTables(APIView):
    gives = KnowledgeTablesSerializer

    def get(self, request: Request, id: uuid.UUID) -> Response:
        """The tables of WinoLogic with the models tested on a knowledge release, and more."""
        found = knowledge_tables(caller(request), _release(request, id))
        return Response({"tables": list(map(table_document, found))})


class KnowledgeTableFile(APIView):
    content_negotiation_class = AnyAccept
    gives = File("application/octet-stream", "The file: csv or tex.")

    def get(self, request: Request, id: uuid.UUID, table: str, ending: str) -> HttpResponse:
        """Download one of these tables as csv or tex, a LaTeX table for booktabs."""
        found = knowledge_tables(caller(request), _release(request, id))
        return _file(found, table, ending)


class ReasonTable(CuratorView):
    gives = KnowledgeTablesSerializer

    def get(self, request: Request, reasons: str) -> Response:
        """The accuracies of the models tested on a collection of reasons."""
        found = reason_table(caller(request), reasons)
        return Response({"tables": [table_document(found)]})


class ReasonTableFile(CuratorView):
    content_negotiation_class = AnyAccept
    gives = File("application/octet-stream", "The file: csv or tex.")

    def get(self, request: Request, reasons: str, ending: str) -> HttpResponse:
        """Download the table of a collection of reasons as csv or tex."""
        found = reason_table(caller(request), reasons)
        return _file([found], found.table.name, ending)


def _release(request: Request, id: uuid.UUID) -> KnowledgeRelease:
    rows = KnowledgeRelease.objects.visible_to(caller(request))
    found = rows.filter(public_id=id).first()
    if found is None:
        raise DomainError("not_found", "There is no such knowledge release.", status=404)
    return found


def _file(tables: Sequence[FilledTable], name: str, ending: str) -> HttpResponse:
    found = next((one for one in tables if one.table.name == name), None)
    if found is None or ending not in WRITERS:
        raise DomainError("not_found", "A table here is csv or tex.", status=404)
    write, media_type = WRITERS[ending]
    return HttpResponse(write(found.table, found.own), content_type=media_type)
