"""A worker's pay statement as a file."""

from collections.abc import Iterable

from django.http import StreamingHttpResponse

from winoplatform.exporting.spreadsheets import saved_as
from workers.models import User


def statement_response(lines: Iterable[str], worker: User) -> StreamingHttpResponse:
    """Stream the lines of *worker*'s statement."""
    return saved_as(f"pay-{worker.public_id}.csv", lines)
