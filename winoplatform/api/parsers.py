"""How bodies are read."""

from io import BytesIO
from typing import Any

from django.http import HttpRequest
from rest_framework import parsers
from rest_framework.exceptions import ParseError


class JSONParser(parsers.JSONParser):
    """JSON, also when somebody nests it deeper than Python reads."""

    def parse(self, stream: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            # ``body`` refuses what is too large; the bare stream would take anything.
            if isinstance(stream, HttpRequest):
                stream = BytesIO(stream.body)
            return super().parse(stream, *args, **kwargs)
        except RecursionError:
            raise ParseError("The JSON body is nested too deeply.") from None
