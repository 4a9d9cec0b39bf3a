"""Request parsers."""

from io import BytesIO
from typing import Any

from django.http import HttpRequest
from rest_framework import parsers
from rest_framework.exceptions import ParseError


class JSONParser(parsers.JSONParser):
    """A JSON parser that rejects bodies nested deeper than Python's parser can read."""

    def parse(self, stream: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            # ``body`` refuses what is too large; the stream itself has no limit.
            if isinstance(stream, HttpRequest):
                stream = BytesIO(stream.body)
            return super().parse(stream, *args, **kwargs)
        except RecursionError:
            raise ParseError("The JSON body is nested too deeply.") from None
