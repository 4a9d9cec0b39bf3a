"""How answers are written."""

from typing import Any

from rest_framework import renderers


class JSONRenderer(renderers.JSONRenderer):
    """JSON, also when an error quotes half a character (a lone surrogate) that somebody sent."""

    def render(self, *args: Any, **kwargs: Any) -> bytes:
        try:
            return super().render(*args, **kwargs)
        except UnicodeEncodeError:
            self.ensure_ascii = True  # type: ignore[misc]
            return super().render(*args, **kwargs)
