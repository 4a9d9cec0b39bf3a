"""The tables of a campaign as files."""

from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from collection.api.views.campaigns import visible_campaign
from validation.exports.campaigns import export_response
from validation.selectors.tables import TABLES
from winoplatform.api.parsing import asked_form
from winoplatform.api.schema import File
from winoplatform.api.views import CuratorFile, refuse_unknown
from workers.models import AuditEvent

TAG = "exports"


class SinceSerializer(serializers.Serializer[Any]):
    since = serializers.DateTimeField(
        required=False,
        help_text="Only rows that were created or changed at this time or later.",
    )


class ExportedTable(CuratorFile):
    audits = AuditEvent.Kind.LABELS_FILE
    gives = File("application/x-ndjson", "The table, in the form asked for.", has_etag=True)
    query = [
        SinceSerializer,
        OpenApiParameter(
            "format", OpenApiTypes.STR, enum=["jsonl", "csv", "parquet"],
            description="Instead of the header Accept.",
        ),
    ]  # fmt: skip

    form: str | None = None  # fixed by the address

    def get(self, request: Request, slug: str, table: str) -> HttpResponseBase:
        """Return a campaign's questions, twins, votes, draws or disclosures, oldest first.

        As JSON lines, CSV or Parquet. The header `Next-Since` is the value of `since` for the next
        request of a mirror. A broken download is continued with `Range` and `If-Range`.
        """
        refuse_unknown(request, {"since", "format"})
        if table not in TABLES:
            raise NotFound
        serializer = SinceSerializer(data=request.query_params)
        serializer.is_valid(raise_exception=True)
        campaign = visible_campaign(request, slug)
        form = self.form or asked_form(request._request)
        since = serializer.validated_data.get("since")
        return export_response(request._request, campaign, table, form, since=since)
