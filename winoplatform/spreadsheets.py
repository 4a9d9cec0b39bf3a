"""CSV files that are safe to open in spreadsheets."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse

from tabular.escapes import safe_cell

CSV = "text/csv; charset=utf-8"


class _Line:
    """A file-like object that returns each line that a csv writer writes."""

    def write(self, line: str) -> str:
        return line


def csv_lines(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, end: str = "\r\n"
) -> Iterator[str]:
    """Yield a CSV file line by line, starting with the column names."""
    writer = csv.writer(_Line(), lineterminator=end)
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([safe_cell(value) for value in row])


def saved_as(
    name: str, content: Iterable[Any], *, content_type: str = CSV
) -> StreamingHttpResponse:
    """Stream a file that browsers save under *name*."""
    saved = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(content, content_type=content_type, headers=saved)
