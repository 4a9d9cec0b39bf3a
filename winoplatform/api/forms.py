"""JSON lines, CSV or Parquet, as a request asks by ``?format=`` or ``Accept``."""

from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.exceptions import NotAcceptable

JSONL, CSV, PARQUET = "jsonl", "csv", "parquet"
MEDIA_TYPES = {
    JSONL: "application/x-ndjson",
    CSV: "text/csv",
    PARQUET: "application/vnd.apache.parquet",
}
CONTENT_TYPES = MEDIA_TYPES | {
    JSONL: "application/x-ndjson; charset=utf-8",
    CSV: "text/csv; charset=utf-8",
}
NO_SUCH_FORM = "The form must be jsonl, csv or parquet."


def asked_form(request: HttpRequest) -> str:
    """Return the form that a request asks for; JSON lines if it takes anything.

    Raises
    ------
    ValidationError
        If ``?format=`` is another one.
    NotAcceptable
        If ``Accept`` names none of the forms.
    """
    named = request.GET.get("format")
    if named is not None:
        if named not in MEDIA_TYPES:
            raise serializers.ValidationError({"format": NO_SUCH_FORM})
        return named
    preferred = request.get_preferred_type(list(MEDIA_TYPES.values()))
    if preferred is None:
        raise NotAcceptable(f"{NO_SUCH_FORM} Ask with ?format= or Accept.")
    return next(form for form, media_type in MEDIA_TYPES.items() if media_type == preferred)
