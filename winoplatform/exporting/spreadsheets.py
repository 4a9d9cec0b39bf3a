"""Files that browsers save."""

from collections.abc import Iterable
from typing import Any

from django.http import StreamingHttpResponse

CSV = "text/csv; charset=utf-8"


def saved_as(
    name: str, content: Iterable[Any], *, content_type: str = CSV
) -> StreamingHttpResponse:
    """Stream a file that browsers save under *name*."""
    saved = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(content, content_type=content_type, headers=saved)
