"""Tables and comparisons of evaluations, as JSON and as files; attached to a release too.

What a user sees here is on the pages too.
"""

import uuid
from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from corpora.api.releases import OfRelease
from corpora.api.serializers import ReleaseReportSerializer
from corpora.models import Release
from evaluation import services
from evaluation.core.comparison import LEAST_MARGIN, MARGIN, MOST_MARGIN
from evaluation.core.comparison_files import ComparisonRow
from evaluation.core.published_tables import TABLES, WRITERS, FilledTable
from evaluation.exports.comparisons import FORMATS, comparison_rows
from evaluation.exports.paper_kits import MEDIA_TYPE, kit_archive, kit_name
from evaluation.selectors import (
    Compared,
    beside_people,
    compared,
    evaluations_of,
    find_comparable,
    knowledge_tables,
    reason_table,
    table_document,
)
from knowledge.models import KnowledgeRelease
from winoplatform.api.fields import ByPublicId
from winoplatform.api.results import ResultSerializer
from winoplatform.api.schema import File
from winoplatform.api.views import AnyAccept, ApiView, CuratorView, validated_query
from winoplatform.errors import DomainError, NotFound
from workers.api.callers import caller

TAG = "evaluation"


class WhichQuestionsSerializer(serializers.Serializer[Any]):
    transformation = serializers.SlugField(
        max_length=50,
        allow_blank=True,
        default="",
        help_text="Applied to the questions first; empty for none.",
    )
    subset = serializers.CharField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="Only the questions with a metadata entry, such as associative=true.",
    )
    data_sha256 = serializers.CharField(
        max_length=64,
        allow_blank=True,
        default="",
        help_text="The SHA-256 of the questions, if a transformation has made several versions; "
        "the one evaluated last if empty.",
    )
    margin = serializers.FloatField(
        min_value=LEAST_MARGIN,
        max_value=MOST_MARGIN,
        default=MARGIN,
        help_text="Accuracies that differ by less are called equivalent. Choose it before you see "
        "any figure.",
    )


class ComparedSystemSerializer(ResultSerializer):
    """A system; shares are from 0 to 1, and each p is corrected for all pairs of systems."""

    class Meta:
        of = ComparisonRow


class ComparedSystemsSerializer(serializers.Serializer[Any]):
    """Systems on the same questions, the most accurate first."""

    subsets = serializers.ListField(
        child=serializers.CharField(), help_text="Values of the parameter subset."
    )
    rows = ComparedSystemSerializer(many=True)


class Comparison(ApiView):
    query = WhichQuestionsSerializer
    gives: Any = ComparedSystemsSerializer

    def get(self, request: Request, kind: str, name: str, split: str) -> Any:
        """Compare the finished evaluations of a split of a release or reference set, or a snapshot.

        The kind is release, reference-set or snapshot; a snapshot is named by its id, and its split
        is all. Users who are not curators see public reference sets and splits that are not blind.
        """
        result, rows = _compared(request, kind, name, split)
        subsets = [subset.name for subset in result.subsets]
        return {"subsets": subsets, "rows": rows}


class ComparisonFile(ApiView):
    content_negotiation_class = AnyAccept
    query = WhichQuestionsSerializer
    gives = File("application/octet-stream", "The file: csv, jsonl or tex.")

    def get(self, request: Request, kind: str, name: str, split: str, ending: str) -> HttpResponse:
        """Download a comparison as csv, jsonl or tex, two LaTeX tables for booktabs."""
        if ending not in FORMATS:
            raise DomainError("not_found", "A comparison is csv, jsonl or tex.", status=404)
        write, media_type = FORMATS[ending]
        _, rows = _compared(request, kind, name, split)
        return HttpResponse(write(rows), content_type=media_type)


def _compared(
    request: Request, kind: str, name: str, split: str
) -> tuple[Compared, list[ComparisonRow]]:
    query = validated_query(WhichQuestionsSerializer, request)
    subset, version, margin = (query.pop(name) for name in ("subset", "data_sha256", "margin"))
    user = caller(request)
    data, _ = find_comparable(user, kind, name, split, data=version, **query)
    result = compared(list(evaluations_of(user, data)), subset=subset, margin=margin)
    return result, comparison_rows(data, result, beside_people(user, data, result))


class PaperKit(OfRelease):
    content_negotiation_class = AnyAccept
    gives = File(MEDIA_TYPE, "The kit: text, tables, figures and checklists.")

    def get(self, request: Request, id: uuid.UUID) -> HttpResponse:
        """Download what a paper about a release needs, made from its public files alone."""
        release = self.get_object()
        kit = kit_archive(release, user=request.user)
        name = f'attachment; filename="{kit_name(release)}.zip"'
        return HttpResponse(kit, content_type=MEDIA_TYPE, headers={"Content-Disposition": name})


class KnowledgeTablesSerializer(serializers.Serializer[Any]):
    """Tables with published figures in percent, and those measured here as shares."""

    tables = serializers.ListField(
        child=serializers.DictField(),
        help_text="Of each `name`, `title`, `source`, `notes`, `columns` and `lines`; a line's "
        "cells have `published` and `measured`.",
    )


class KnowledgeTables(ApiView):
    gives = KnowledgeTablesSerializer

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """The tables of WinoLogic with the models tested on a knowledge release, and more."""
        found = knowledge_tables(caller(request), _release(request, id))
        return {"tables": list(map(table_document, found))}


class KnowledgeTableFile(ApiView):
    content_negotiation_class = AnyAccept
    gives = File("application/octet-stream", "The file: csv or tex.")

    def get(self, request: Request, id: uuid.UUID, table: str, ending: str) -> HttpResponse:
        """Download one of these tables as csv or tex, a LaTeX table for booktabs."""
        found = knowledge_tables(caller(request), _release(request, id))
        return _file(found, table, ending)


class ReasonTable(CuratorView):
    gives = KnowledgeTablesSerializer

    def get(self, request: Request, reasons: str) -> Any:
        """The accuracies of the models tested on a collection of reasons."""
        found = reason_table(caller(request), reasons)
        return {"tables": [table_document(found)]}


class ReasonTableFile(CuratorView):
    content_negotiation_class = AnyAccept
    gives = File("application/octet-stream", "The file: csv or tex.")

    def get(self, request: Request, reasons: str, ending: str) -> HttpResponse:
        """Download the table of a collection of reasons as csv or tex."""
        found = reason_table(caller(request), reasons)
        return _file([found], found.table.name, ending)


def _release(request: Request, id: uuid.UUID) -> KnowledgeRelease:
    rows = KnowledgeRelease.objects.visible_to(caller(request))
    release = rows.filter(public_id=id).first()
    if release is None:
        raise DomainError("not_found", "There is no such knowledge release.", status=404)
    return release


def _file(tables: Sequence[FilledTable], name: str, ending: str) -> HttpResponse:
    table = next((candidate for candidate in tables if candidate.table.name == name), None)
    if table is None or ending not in WRITERS:
        raise DomainError("not_found", "A table here is csv or tex.", status=404)
    write, media_type = WRITERS[ending]
    return HttpResponse(write(table), content_type=media_type)


class NewAttachmentSerializer(serializers.Serializer[Any]):
    release = ByPublicId(Release.objects.all())
    ending = serializers.ChoiceField(choices=list(WRITERS), help_text="The form of the file.")


class AttachPaperTable(CuratorView):
    takes = NewAttachmentSerializer
    gives = ReleaseReportSerializer
    success = 201
    refuses = 409

    def post(self, request: Request, name: str) -> Any:
        """Attach a paper's table to a release, without figures of blind tests."""
        if name not in TABLES:
            raise NotFound("table")
        return services.attach_paper_table(table=name, by=caller(request), **self.body())
