"""The table of evaluations and the form that combines them, on pages of several features."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation
from evaluation.selectors import evaluations_visible_to, in_words
from frontend.http import PageRequest
from frontend.paging import page_of
from frontend.runs.reads import RunRow, run_row, workers_state
from winoplatform import clock
from winoplatform.runs.models import RunStatus
from workers.models import User

REFUSED_AT = {
    "members_too_few": "members",
    "members_differ": "members",
    "member_not_done": "members",
    "member_unsuitable": "members",
    "scores_unsuitable": "members",
}


class EnsembleForm(forms.Form):
    """Which evaluations of the same questions to combine, and how."""

    members = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least two systems.")},
    )
    variant = forms.ChoiceField(
        label=_("Combine by"),
        choices=lambda: list(METHODS[ENSEMBLE].variants.items()),
        widget=forms.RadioSelect,
    )

    def __init__(
        self,
        *args: Any,
        of_members: dict[str, Evaluation],
        labels: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.of_members = of_members
        choices = [(id, labels[id] if labels else id) for id in of_members]
        self.fields["members"].choices = choices  # type: ignore[attr-defined]

    def clean_members(self) -> list[Evaluation]:
        return [self.of_members[id] for id in self.cleaned_data["members"]]


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
