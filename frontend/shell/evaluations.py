"""The table of evaluations, on pages of several features."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from evaluation.models import Evaluation
from evaluation.selectors import evaluations_visible_to, in_words
from frontend.http import PageRequest
from frontend.paging import page_of
from frontend.runs.reads import RunRow, run_row, workers_state
from winoplatform import clock
from winoplatform.runs.models import RunStatus
from workers.models import User

RUNS = 15


def evaluation_rows(user: User) -> "QuerySet[Evaluation, Any]":
    """Return the evaluations that *user* may see, with what their rows need."""
    rows = evaluations_visible_to(user)
    if not user.is_curator:
        rows = rows.filter(status=RunStatus.DONE)
    return rows.select_related(
        "release__snapshot__campaign", "snapshot__campaign", "reference_set", "encoding",
        "created_by", "fine_tuning__release", "fine_tuning__reference_set",
        "fine_tuning__before__release", "fine_tuning__before__reference_set",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """An evaluation with its progress, and its questions in words."""

    row: RunRow
    of: str


def evaluation_table(rows: "QuerySet[Evaluation, Any]", request: PageRequest) -> dict[str, Any]:
    """Return the context of ``evaluations/runs.html``: a page of evaluations, newest first."""
    page = page_of(rows, request, parameter="runs", size=RUNS)
    is_open = any(not run.has_ended for run in page.rows)
    now = clock.now()
    return {
        "page": page,
        "runs": [EvaluationRow(run_row(run, now), questions_of(run)) for run in page.rows],
        "is_open": is_open,
        "workers": workers_state() if is_open else None,
    }


def questions_of(run: Evaluation) -> str:
    """Name the set, the split and the transformation of an evaluation."""
    if run.release is not None:
        name = run.release.name
    elif run.reference_set is not None:
        name = run.reference_set.title
    else:
        assert run.snapshot is not None
        name = f"{run.snapshot.campaign.name} {str(run.snapshot.public_id)[:8]}"
    return " · ".join(filter(None, [name, run.split, in_words(run.transformation)]))
