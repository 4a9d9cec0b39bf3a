"""A study's sessions as a file, for comparison with the platform's list."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse

from collection.models import CrowdSession, Study
from collection.selectors.crowd import with_units
from tabular.writing import csv_lines
from winoplatform.exporting.spreadsheets import saved_as

COLUMNS = (
    "participant", "session", "worker", "status", "units", "code", "approvals", "approval_rate",
    "created_at", "ended_at", "reported", "reported_at",
)  # fmt: skip
ROWS_AT_ONCE = 1000


def sessions_csv(study: Study) -> StreamingHttpResponse:
    """Stream every session of *study*, oldest first."""
    return saved_as(f"sessions-{study.public_id}.csv", csv_lines(COLUMNS, _rows(study)))


def _rows(study: Study) -> Iterator[Sequence[Any]]:
    rows = with_units(CrowdSession.objects.filter(study=study)).order_by("pk")
    for session in rows.select_related("participant__worker").iterator(ROWS_AT_ONCE):
        session.study = study
        yield _values(session)


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
        session.reported,
        session.reported_at.isoformat() if session.reported_at else "",
    )
