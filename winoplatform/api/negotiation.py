"""Content negotiation."""

from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request


class Negotiation(DefaultContentNegotiation):
    """REST framework's negotiation, with a shortcut for clients that accept anything."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        takes_anything = request.META.get("HTTP_ACCEPT", "*/*") == "*/*"
        # A `format` in the address goes to REST framework, which refuses unknown formats.
        if takes_anything and not format_suffix and not request.META.get("QUERY_STRING"):
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)
