"""Evaluations and the questions that they compare systems on, as the pages list them."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from evaluation.models import Evaluation
from evaluation.selectors import as_comparable, comparable, evaluations_visible_to
from frontend.evaluations.words import questions_of
from frontend.http import PageRequest
from frontend.paging import Numbered, numbered, page_of
from frontend.runs.reads import RunRow, run_row, workers_state
from winoplatform import clock
from winoplatform.runs.models import RunStatus
from workers.models import User

RUNS, COMPARISONS = 15, 30


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


def comparables(user: User, number: str) -> Numbered:
    """Return a page of the questions that finished evaluations have scored, latest first."""
    page = numbered(comparable(user), number, COMPARISONS)
    return Numbered([as_comparable(row) for row in page.rows], page.earlier, page.later)
