"""Which form an answer takes."""

from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request


class Negotiation(DefaultContentNegotiation):
    """The framework's own, without the search where the client takes anything."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        takes_anything = request.META.get("HTTP_ACCEPT", "*/*") == "*/*"
        # A `format` in the address is looked at as ever: it may be one that there is not.
        if takes_anything and not format_suffix and not request.META.get("QUERY_STRING"):
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)
