"""A study's sessions as a file, for comparison with what the platform says."""

import csv
from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse

from collection.models import CrowdSession, Study
from collection.selectors.crowd import with_units

COLUMNS = (
    "participant", "session", "worker", "status", "units", "code", "approvals", "approval_rate",
    "created_at", "ended_at",
)  # fmt: skip
ROWS_AT_ONCE = 1000
RUNS_AS_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class _Line:
    """Gives back what a csv writer writes, line by line."""

    def write(self, line: str) -> str:
        return line


def sessions_csv(study: Study) -> StreamingHttpResponse:
    """Stream every session of *study*, oldest first."""
    response = StreamingHttpResponse(_lines(study), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="sessions-{study.public_id}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _lines(study: Study) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(COLUMNS)
    rows = with_units(CrowdSession.objects.filter(study=study)).order_by("pk")
    for session in rows.select_related("participant__worker").iterator(ROWS_AT_ONCE):
        session.study = study
        yield writer.writerow([_cell(value) for value in _values(session)])


def _values(session: CrowdSession) -> tuple[Any, ...]:
    return (
        session.participant.external_id,
        session.external_id,
        session.participant.worker.public_id,
        session.status,
        session.n_units,  # type: ignore[attr-defined]
        session.study.code_of(session.status),
        session.approvals,
        session.approval_rate,
        session.created_at.isoformat(),
        session.ended_at.isoformat() if session.ended_at else "",
    )


def _cell(value: Any) -> Any:
    """Keep a spreadsheet from running an id that somebody put into a link as a formula."""
    if isinstance(value, str) and value.startswith(RUNS_AS_FORMULA):
        return f"'{value}"
    return value
