"""Releases and their files. Everybody signed in may have what is published."""

import uuid
from pathlib import PurePath
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from corpora import selectors, services
from corpora.api import filters, serializers
from corpora.api.examples import RUN_ID, TAG
from corpora.models import Release
from winoplatform.api.permissions import CuratorsChange
from winoplatform.api.runs import CancelView, ResumeView, RunDetailView, RunListView
from winoplatform.api.schema import operation, request_example
from winoplatform.api.views import AnyAccept, VisibleRows, download, validated
from workers.api.callers import caller

RELEASES = Release.objects.select_related("snapshot", "selection", "created_by")
TYPES = {".jsonl": "application/x-ndjson", ".json": "application/json"}


class VisibleReleases(VisibleRows):
    """Releases that are done, and for curators all."""

    permission_classes = [CuratorsChange]

    def visible(self, rows: Any) -> QuerySet[Any]:
        return selectors.releases_visible_to(caller(self.request), rows)


class Releases(VisibleReleases, RunListView):
    queryset = RELEASES
    serializer_class = serializers.ReleaseSerializer
    filterset_class = filters.ReleaseFilter

    @operation(
        "releases_list",
        tag=TAG,
        answers={200: serializers.ReleaseSerializer(many=True)},
        refusals=[400],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the releases; those not done are seen by curators only."""
        return self.list(request)

    @operation(
        "releases_create",
        tag=TAG,
        request=serializers.NewReleaseSerializer,
        answers={201: serializers.ReleaseSerializer},
        refusals=[400, 403, 409],
        examples=[
            request_example("what a filter run kept", {"selection": RUN_ID, "name": "v1"}),
            request_example("unfiltered", {"snapshot": RUN_ID, "name": "v1-all"}),
        ],
    )
    def post(self, request: Request) -> Response:
        """Publish a snapshot or a selection of it, each twin in the split drawn for it once."""
        asked = validated(serializers.NewReleaseSerializer, request)
        return self.started(services.build_release(by=caller(request), **asked))


class OneRelease(VisibleReleases, RunDetailView):
    queryset = RELEASES
    serializer_class = serializers.ReleaseSerializer

    @operation(
        "releases_retrieve",
        tag=TAG,
        answers={200: serializers.ReleaseSerializer},
        refusals=[404],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One release and how far it is."""
        return self.retrieve(request)


class CancelRelease(CancelView):
    queryset = RELEASES
    serializer_class = serializers.ReleaseSerializer

    @operation(
        "releases_cancel",
        tag=TAG,
        request=None,
        answers={200: serializers.ReleaseSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End a release: at once where it waits, at its next step where it runs."""
        return self.cancel()


class ResumeRelease(ResumeView):
    queryset = RELEASES
    serializer_class = serializers.ReleaseSerializer

    @operation(
        "releases_resume",
        tag=TAG,
        request=None,
        answers={200: serializers.ReleaseSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Take up a release that failed or was cancelled, unless another holds its name by now."""
        return self.resume()


class ReleaseFiles(VisibleReleases):
    queryset = RELEASES
    serializer_class = serializers.ReleaseFileSerializer
    pagination_class = None
    filter_backends = []

    @operation(
        "releases_files",
        tag=TAG,
        answers={200: serializers.ReleaseFileSerializer(many=True)},
        refusals=[404],
    )
    def get(self, request: Request, id: uuid.UUID) -> Response:
        """List a release's files; the blind labels are seen by curators only."""
        files = selectors.release_files(self.get_object(), user=caller(request))
        return Response(self.get_serializer(files, many=True).data)


class OneReleaseFile(VisibleReleases):
    queryset = RELEASES
    content_negotiation_class = AnyAccept

    @operation(
        "releases_download",
        tag=TAG,
        answers={
            (200, "application/octet-stream"): OpenApiResponse(
                OpenApiTypes.BINARY, "The file; its ETag is the SHA-256 of its content."
            ),
            304: OpenApiResponse(None, "The file is still the one whose ETag was sent."),
        },
        refusals=[404],
    )
    def get(self, request: Request, id: uuid.UUID, name: str) -> HttpResponseBase:
        """Download one file of a release."""
        files = selectors.release_files(self.get_object(), user=caller(request))
        file = get_object_or_404(files, name=name)
        kind = TYPES.get(PurePath(name).suffix, "text/plain")
        return download(request, file.artifact, name=name, content_type=kind)
