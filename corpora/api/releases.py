"""Files, retraction, errata and reports of releases, commitments to draws; public ones are open."""

import uuid
from pathlib import PurePath
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from collection.models import Twin, of_member
from corpora import selectors, services
from corpora.api import serializers
from corpora.models import DrawTable, Release, ReleaseReport
from winoplatform.api.permissions import AnyoneReads, IsCurator
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import File
from winoplatform.api.views import (
    AnyAccept,
    DetailView,
    ListView,
    VisibleRows,
    download,
)
from workers.api.callers import caller
from workers.models import AuditEvent
from workers.services.audit import hands_out

TYPES = {".jsonl": "application/x-ndjson", ".json": "application/json"}


class OfRelease(VisibleRows):
    """A view of a release that the user may see, or anyone if it is public."""

    queryset: Any = Release.objects.select_related(
        "snapshot", "selection", "previous", "created_by"
    )
    permission_classes = [AnyoneReads]
    pagination_class: Any = None
    filter_backends: Any = []


class ReleaseByName(OfRelease, DetailView):
    """The release that holds a name."""

    queryset = OfRelease.queryset.filter(status__in=Release.LIVE)
    serializer_class = serializers.ReleaseSerializer
    lookup_field = lookup_url_kwarg = "name"


class ReleaseFiles(OfRelease):
    serializer_class = serializers.ReleaseFileSerializer
    gives: Any = [serializers.ReleaseFileSerializer]

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """List a release's files; only curators see restricted ones, such as blind labels."""
        return selectors.release_files(self.get_object(), user=request.user)


class OneReleaseFile(ReleaseFiles):
    content_negotiation_class = AnyAccept
    gives = File("application/octet-stream", "The file.", has_etag=True)

    def get(self, request: Request, id: uuid.UUID, name: str) -> HttpResponseBase:  # type: ignore[override]
        """Download one file of a release."""
        files = selectors.release_files(self.get_object(), user=request.user)
        file = get_object_or_404(files, name=name)
        if file.restricted:
            hands_out(request, AuditEvent.Kind.LABELS_FILE)
        return _sent(request, file)


class Retraction(VisibleRows):
    permission_classes = [IsCurator]
    takes = serializers.RetractionSerializer
    success = (200, 202)
    refuses = 409

    def visible(self, rows: Any) -> QuerySet[Any]:
        own: QuerySet[Any] = rows.filter(rows.model.of_member(self.request.user))
        return own

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Retract a release: its files stay, the reason is shown wherever it is.

        202 if its campaign asks for a second person: `proposals` then has what is to be confirmed.
        """
        data = self.body()
        release = services.retract_release(release=self.get_object(), by=caller(request), **data)
        if release.retracted_at is not None:
            return release
        return Response(self.get_serializer(release).data, status=202)


class Retract(Retraction):
    queryset = OfRelease.queryset
    serializer_class = serializers.ReleaseSerializer


class Errata(VisibleRows):
    queryset = Release.objects.select_related("snapshot")
    permission_classes = [AnyoneReads]
    takes = serializers.NewErratumSerializer
    gives: Any = {
        "GET": [serializers.ErratumSerializer],
        "POST": serializers.ErratumSerializer,
    }
    refuses = 409

    def visible(self, rows: Any) -> QuerySet[Any]:
        if self.request.method in SAFE_METHODS:
            return rows.visible_to(self.request.user)  # type: ignore[no-any-return]
        own: QuerySet[Any] = rows.filter(Release.of_member(self.request.user))
        return own

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """List the errata of a release, oldest first."""
        return self.get_object().errata.all()

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Add an erratum to a release; it is sent where copies stand, and never changes.

        The same erratum again with the same key gives the one that is stored.
        """
        asked = self.body()
        return services.add_erratum(
            release=self.get_object(),
            text=asked["text"],
            key=asked["client_key"],
            by=caller(request),
        )


class Reports(OfRelease):
    serializer_class = serializers.ReleaseReportSerializer
    gives: Any = [serializers.ReleaseReportSerializer]

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """List the reports attached to a release after it was built."""
        return self.get_object().reports.select_related("artifact")


class OneReport(OfRelease):
    content_negotiation_class = AnyAccept
    gives = File("application/octet-stream", "The file.", has_etag=True)

    def get(self, request: Request, id: uuid.UUID, name: str) -> HttpResponseBase:
        """Download a report attached to a release."""
        reports = ReleaseReport.objects.select_related("artifact")
        return _sent(request, get_object_or_404(reports, release=self.get_object(), name=name))


class DrawTables(ListView):
    """List the commitments to the splits drawn, newest first: nobody can change one unnoticed."""

    queryset = DrawTable.objects.all()
    serializer_class = serializers.DrawTableSerializer
    permission_classes = [IsAuthenticated]

    def visible(self, rows: Any) -> QuerySet[Any]:
        return rows  # type: ignore[no-any-return]


class DrawTableLines(CuratorRows):
    audits = AuditEvent.Kind.LABELS_FILE
    queryset = DrawTable.objects.all()

    def visible(self, rows: Any) -> QuerySet[Any]:
        drawn = Twin.objects.filter(of_member(self.request.user), draw__isnull=False)
        chosen: QuerySet[Any] = rows.filter(pk__in=drawn.values("draw__table"))
        return chosen

    content_negotiation_class = AnyAccept
    gives = File("text/tab-separated-values", "Twin, split and salt; their hash is the sha256.")

    def get(self, request: Request, id: uuid.UUID) -> HttpResponseBase:
        """Open a commitment: the lines that it was computed from."""
        table = self.get_object()
        lines = selectors.draw_table_lines(table)
        return HttpResponse(b"".join(lines), content_type="text/tab-separated-values")


def _sent(request: Request, file: Any) -> HttpResponseBase:
    path = PurePath(file.name)
    kind = TYPES.get(path.suffix, "text/plain")
    return download(request, file.artifact, name=path.name, content_type=kind)
