"""How requests are read and answers written: parsers, renderers, negotiation, forms."""

from io import BytesIO
from typing import Any

from django.http import HttpRequest
from rest_framework import parsers, renderers, serializers
from rest_framework.exceptions import NotAcceptable, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

from winoplatform.text import entered_json


class JSONParser(parsers.JSONParser):
    """A JSON parser that takes text in as `entered`, and rejects bodies nested too deeply."""

    def parse(self, stream: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            # ``body`` refuses what is too large; the stream itself has no limit.
            if isinstance(stream, HttpRequest):
                stream = BytesIO(stream.body)
            return entered_json(super().parse(stream, *args, **kwargs))
        except RecursionError:
            raise ParseError("The JSON body is nested too deeply.") from None


class JSONRenderer(renderers.JSONRenderer):
    """A JSON renderer that can also quote a lone surrogate that a client sent."""

    def render(self, *args: Any, **kwargs: Any) -> bytes:
        try:
            return super().render(*args, **kwargs)
        except UnicodeEncodeError:
            self.ensure_ascii = True  # type: ignore[misc]
            return super().render(*args, **kwargs)


class Negotiation(DefaultContentNegotiation):
    """REST framework's negotiation, with a shortcut for clients that accept anything."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        takes_anything = request.META.get("HTTP_ACCEPT", "*/*") == "*/*"
        # A `format` in the address goes to REST framework, which refuses unknown formats.
        if takes_anything and not format_suffix and not request.META.get("QUERY_STRING"):
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)


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
