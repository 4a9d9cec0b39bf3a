"""Response renderers."""

from typing import Any

from rest_framework import renderers


class JSONRenderer(renderers.JSONRenderer):
    """A JSON renderer that can also quote a lone surrogate that a client sent."""

    def render(self, *args: Any, **kwargs: Any) -> bytes:
        try:
            return super().render(*args, **kwargs)
        except UnicodeEncodeError:
            self.ensure_ascii = True  # type: ignore[misc]
            return super().render(*args, **kwargs)
