"""The splits of a release by name, as JSON lines, CSV or Parquet."""

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from corpora import selectors, services
from corpora.core.bundle import layout
from corpora.models import Release
from winoplatform.api.parsing import CONTENT_TYPES, PARQUET, asked_form
from winoplatform.api.permissions import AnyoneReads
from winoplatform.api.schema import File
from winoplatform.api.views import AnyAccept, VisibleRows, download, refuse_unknown


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

    def get(self, request: Request, name: str, split: str) -> HttpResponseBase:
        """Download a split of a release, as JSON lines, CSV or Parquet; the test split is blind.

        All forms have the same columns in every split; `answer` is empty in the test split.
        """
        refuse_unknown(request, {"format"})
        form = asked_form(request._request)
        files = selectors.release_files(self.get_object(), user=request.user)
        # Blind labels are in files for curators, never in a split.
        file = get_object_or_404(files.filter(restricted=False), name=layout.parquet(split))
        stored = file.artifact if form == PARQUET else services.split_as(file, form)
        return download(
            request, stored, name=f"{name}-{split}.{form}", content_type=CONTENT_TYPES[form]
        )
