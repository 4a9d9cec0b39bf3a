"""The REST resources of the tables of evaluations of statements."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from evaluation.core.paper_tables import WRITERS, FilledTable
from evaluation.selectors import knowledge_tables, reason_table, table_document
from knowledge.models import KnowledgeRelease
from winoplatform.api.schema import File
from winoplatform.api.views import AnyAccept, ApiView, CuratorView
from winoplatform.errors import DomainError
from workers.api.callers import caller


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
    found = rows.filter(public_id=id).first()
    if found is None:
        raise DomainError("not_found", "There is no such knowledge release.", status=404)
    return found


def _file(tables: Sequence[FilledTable], name: str, ending: str) -> HttpResponse:
    found = next((one for one in tables if one.table.name == name), None)
    if found is None or ending not in WRITERS:
        raise DomainError("not_found", "A table here is csv or tex.", status=404)
    write, media_type = WRITERS[ending]
    return HttpResponse(write(found), content_type=media_type)
