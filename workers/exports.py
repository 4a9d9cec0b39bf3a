"""A worker's pay statement as a file."""

from collections.abc import Iterable

from django.http import StreamingHttpResponse

from workers.models import User


def statement_response(lines: Iterable[str], worker: User) -> StreamingHttpResponse:
    """Stream the lines of *worker*'s statement as CSV."""
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="pay-{worker.public_id}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
