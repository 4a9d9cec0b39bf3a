"""The files of releases. Everybody signed in may have what is published."""

import uuid
from pathlib import PurePath
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from corpora import selectors
from corpora.api import serializers
from corpora.models import Release
from winoplatform.api.schema import File
from winoplatform.api.views import AnyAccept, VisibleRows, download
from workers.api.callers import caller

TYPES = {".jsonl": "application/x-ndjson", ".json": "application/json"}


class ReleaseFiles(VisibleRows):
    queryset = Release.objects.all()
    serializer_class = serializers.ReleaseFileSerializer
    gives: Any = [serializers.ReleaseFileSerializer]
    pagination_class = None
    filter_backends = []

    def visible(self, rows: Any) -> QuerySet[Any]:
        return selectors.releases_visible_to(caller(self.request), rows)

    def get(self, request: Request, id: uuid.UUID) -> Response:
        """List a release's files; the blind labels are seen by curators only."""
        files = selectors.release_files(self.get_object(), user=caller(request))
        return Response(self.get_serializer(files, many=True).data)


class OneReleaseFile(ReleaseFiles):
    content_negotiation_class = AnyAccept
    gives = File("application/octet-stream", "The file.", has_etag=True)

    def get(self, request: Request, id: uuid.UUID, name: str) -> HttpResponseBase:  # type: ignore[override]
        """Download one file of a release."""
        files = selectors.release_files(self.get_object(), user=caller(request))
        file = get_object_or_404(files, name=name)
        kind = TYPES.get(PurePath(name).suffix, "text/plain")
        return download(request, file.artifact, name=name, content_type=kind)
