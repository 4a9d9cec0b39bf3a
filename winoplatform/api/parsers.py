"""Request parsers."""

from io import BytesIO
from typing import Any

from django.http import HttpRequest
from rest_framework import parsers
from rest_framework.exceptions import ParseError

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
