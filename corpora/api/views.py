"""Reference sets; all signed-in users may read public ones."""

from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from corpora import services
from corpora.api import serializers
from corpora.models import ReferenceSet
from winoplatform.api.permissions import CuratorsChange
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


class ReferenceSets(ListView):
    """List the reference sets; only curators see those that are not public."""

    queryset = ReferenceSet.objects.select_related("created_by").prefetch_related("splits")
    serializer_class = serializers.ReferenceSetSerializer
    permission_classes = [CuratorsChange]
    takes = serializers.NewReferenceSetSerializer
    refuses = 409

    def post(self, request: Request) -> Any:
        """Import a published benchmark; use the command for one larger than a request may be."""
        return services.import_reference_set(by=caller(request), **self.body())


class OneReferenceSet(DetailView):
    """One reference set and its splits."""

    queryset = ReferenceSets.queryset
    serializer_class = serializers.ReferenceSetSerializer
    permission_classes = [CuratorsChange]
    lookup_field = lookup_url_kwarg = "name"
    takes = {"PATCH": serializers.ChangedReferenceSetSerializer}
    gives = {"DELETE": None}
    refuses = 409

    def visible(self, rows: Any) -> Any:
        visible_rows = super().visible(rows)
        if self.request.method in SAFE_METHODS:
            return visible_rows
        return visible_rows.filter(ReferenceSet.own(caller(self.request)))

    def patch(self, request: Request, name: str) -> Any:
        """Share a reference set of yours with all curators, or show it to all signed-in users."""
        data = self.body()
        return services.change_reference_set(reference_set=self.get_object(), **data)

    def delete(self, request: Request, name: str) -> None:
        """Delete a reference set that no evaluation uses."""
        services.delete_reference_set(reference_set=self.get_object())


class ReferenceItems(VisibleRows):
    audits = AuditEvent.Kind.LABELS
    queryset = ReferenceSet.objects.all()
    lookup_field = lookup_url_kwarg = "name"
    content_negotiation_class = AnyAccept
    gives = File("application/x-ndjson", "One item per line, with its answer.", has_etag=True)

    def get(self, request: Request, name: str, split: str) -> HttpResponseBase:
        """Download the items of one split."""
        rows = self.get_object().splits.select_related("items")
        row = get_object_or_404(rows, name=split)
        return download(
            request, row.items, name=f"{name}-{split}.jsonl", content_type="application/x-ndjson"
        )
