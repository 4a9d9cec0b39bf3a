"""The splits of a release by name, as JSON lines, CSV or Parquet."""

import csv
import hashlib
import json
from collections.abc import Generator, Iterable
from contextlib import closing
from io import StringIO
from itertools import chain
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from corpora import selectors
from corpora.core.bundle import layout
from corpora.core.bundle.parquet import read_parquet
from corpora.models import Release
from winoplatform.api.forms import CONTENT_TYPES, JSONL, PARQUET, asked_form
from winoplatform.api.permissions import AnyoneReads
from winoplatform.api.schema import File
from winoplatform.api.streams import streamed_file
from winoplatform.api.views import AnyAccept, VisibleRows, download, refuse_unknown
from winoplatform.artifacts.store import open_artifact
from winoplatform.copying import in_blocks
from winoplatform.models import Artifact
from winoplatform.spreadsheets import safe_cell


class ReleaseSplit(VisibleRows):
    queryset = Release.objects.all()
    lookup_field = lookup_url_kwarg = "name"
    permission_classes = [AnyoneReads]
    content_negotiation_class = AnyAccept
    gives = File("application/x-ndjson", "The split, in the form asked for.", has_etag=True)
    query = [
        OpenApiParameter(
            "format", OpenApiTypes.STR, enum=["jsonl", "csv", "parquet"],
            description="Instead of the header Accept.",
        )
    ]  # fmt: skip

    def visible(self, rows: Any) -> "QuerySet[Any]":
        return selectors.releases_visible_to(self.request.user, rows)

    def get(self, request: Request, name: str, split: str) -> HttpResponseBase:
        """Download a split of a release, as JSON lines, CSV or Parquet; the test split is blind.

        All forms have the same columns in every split; `answer` is empty in the test split.
        """
        refuse_unknown(request, {"format"})
        form = asked_form(request._request)
        files = selectors.release_files(self.get_object(), user=request.user)
        # Blind labels are in files for curators, never in a split.
        file = get_object_or_404(files.filter(restricted=False), name=layout.parquet(split))
        stored, file_name = file.artifact, f"{name}-{split}.{form}"
        if form == PARQUET:
            return download(request, stored, name=file_name, content_type=CONTENT_TYPES[form])
        blocks = converted(stored, form)
        next(blocks)
        return streamed_file(
            request._request,
            blocks,
            name=file_name,
            content_type=CONTENT_TYPES[form],
            etag=hashlib.sha256(f"{stored.sha256} {form}".encode()).hexdigest(),
        )


def converted(stored: Artifact, form: str) -> Generator[bytes, None, None]:
    """Yield nothing at first, then a Parquet file of text as JSON lines or CSV."""
    with closing(open_artifact(stored)) as file:
        yield b""
        rows = read_parquet(file)
        if form == JSONL:
            yield from in_blocks(json.dumps(row).encode() + b"\n" for row in rows)
        else:
            cells = ([safe_cell(value) for value in row.values()] for row in rows)
            yield from in_blocks(map(_csv_line, chain([layout.COLUMNS], cells)))


def _csv_line(cells: Iterable[Any]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode()
