"""Rows of a release to look at: searched, filtered, and one by one with their difficulty."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from collection.models import Twin
from corpora import selectors, services
from corpora.core.bundle.layout import DEV, FULL, INDEX
from corpora.models import Release, ReleaseFile, SplitForm
from evaluation.selectors import difficulty_of
from frontend.http import REFUSALS, refusal_of
from frontend.releases.readers import open_to_readers
from frontend.releases.reads import TITLES
from validation.models import VisitorReport
from validation.services.review.visitors import report_question, takes_reports
from winoplatform.artifacts import store
from workers.addresses import address_of

SIZE = 20
FEW = 5
LONGEST_PLACE = 12
"""Digits of a byte in the address."""


class RowsForm(forms.Form):
    """Which rows of a release are listed."""

    split = forms.ChoiceField(label=later("Split"), required=False)
    q = forms.CharField(label=later("Words"), max_length=200, required=False)
    domain = forms.ChoiceField(
        label=later("Domain"),
        required=False,
        choices=[("", later("all")), *Twin.Domain.choices[:2]],  # the third is published as none
    )

    def __init__(self, *args: Any, splits: Mapping[str, Any], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["split"].choices = [(name, title_of(name)) for name in splits]  # type: ignore[attr-defined]


class ReportForm(forms.Form):
    """What is wrong with a question."""

    kind = forms.ChoiceField(label=later("What is wrong?"), choices=VisitorReport.Kind.choices)
    text = forms.CharField(
        label=later("What should be looked at"),
        max_length=500,
        required=False,
        help_text=later("Curators read it. Leave out names and addresses, also your own."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    client_key = forms.UUIDField(widget=forms.HiddenInput)


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row with the text of its answer."""

    qid: str
    sentence: str
    options: tuple[tuple[str, bool], ...]
    """Each with whether it is the answer."""
    answer: int
    domain: str

    @property
    def answer_text(self) -> str:
        return self.options[self.answer - 1][0]


def title_of(split: str) -> str:
    return str(TITLES.get(split, split))


def row_of(row: Mapping[str, Any]) -> ShownRow:
    """Return a row of a split that is not blind."""
    answer = int(row["answer"])
    options = tuple((row[f"option{n}"], n == answer) for n in (1, 2))
    return ShownRow(row["qID"], row["sentence"], options, answer, row["domain"])


def first_rows(files: Mapping[str, ReleaseFile]) -> list[ShownRow]:
    """Return the first rows of the first labelled split that has any, for a release's page."""
    for file in files.values():
        if file.rows:
            return [row_of(row) for row in _rows(file, start=0, size=FEW).rows]
    return []


def _rows(file: ReleaseFile, *, start: int, size: int, q: str = "", domain: str = "") -> Any:
    artifact = services.split_as(file, SplitForm.JSONL)
    wanted = selectors.wanted_rows(q, domain)
    with store.open_artifact(artifact) as lines:
        return selectors.rows_from(lines, start=start, size=size, wanted=wanted)


@require_safe
@open_to_readers()
def release_rows(request: HttpRequest, release: Release) -> HttpResponse:
    """List rows of a release, by split, words and domain."""
    files = selectors.labelled_splits(release)
    if not files:
        raise Http404(_("The release has no rows to look at."))
    form = RowsForm(request.GET or None, splits=files)
    chosen = form.cleaned_data if form.is_valid() else {}
    split = chosen.get("split") or next(iter(files))
    wanted = {name: chosen.get(name, "") for name in ("q", "domain")}
    found = _rows(files[split], start=_place(request), size=SIZE, **wanted)
    query = {"split": split, **{name: value for name, value in wanted.items() if value}}
    context = {
        "release": release,
        "campaign": release.snapshot.campaign,
        "notices": selectors.notices_of(release),
        "form": form if form.is_bound else RowsForm(splits=files, initial={"split": split}),
        "split": title_of(split),
        "file": files[split],
        "is_filtered": any(wanted.values()),
        "is_first": _place(request) == 0,
        "rows": [row_of(row) for row in found.rows],
        "found": found,
        "first": urlencode(query),
        "following": found.following and urlencode({**query, "from": found.following}),
    }
    return render(request, "frontend/releases/rows.html", context)


def _place(request: HttpRequest) -> int:
    text = request.GET.get("from", "")
    is_number = text.isascii() and text.isdigit() and len(text) <= LONGEST_PLACE
    return int(text) if is_number else 0


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
@open_to_readers()
def release_question(request: HttpRequest, release: Release, qid: str) -> HttpResponse:
    """Show one row of a release with its difficulty, and take a report of it."""
    split, row = _row(release, qid)
    question_id = _question_id(release, qid)
    is_sent = request.method == "POST"
    form = ReportForm(request.POST if is_sent else None, initial={"client_key": uuid.uuid4()})
    if is_sent and not question_id:
        raise Http404(_("The release has no such question."))
    if is_sent and form.is_valid():
        stored = _reported(request, question_id, form)
        if stored is not None:
            address = reverse("release-question", args=[release.name, qid])
            return redirect(f"{address}?reported={int(stored)}#report-title")
    one = row_of(row)
    context = {
        "release": release,
        "campaign": release.snapshot.campaign,
        "notices": selectors.notices_of(release),
        "row": one,
        "split": title_of(split),
        "split_name": split,
        "difficulty": difficulty_of(release, qid=qid, answer=one.answer),
        "form": form,
        "takes_reports": takes_reports(question_id),
        "reported": request.GET.get("reported"),
    }
    return render(
        request, "frontend/releases/question.html", context, status=400 if is_sent else 200
    )


def _row(release: Release, qid: str) -> tuple[str, Mapping[str, Any]]:
    """Return the split and the row of a question that is not blind, or raise a 404."""
    files = selectors.labelled_splits(release)
    for split in (FULL, DEV):
        if split in files:
            with store.open_artifact(services.split_as(files[split], SplitForm.JSONL)) as lines:
                rows = selectors.lines_of(lines, qid)
            if rows:
                return split, rows[0]
    raise Http404(_("The release has no such question."))


def _question_id(release: Release, qid: str) -> str:
    """Return the id that a published question has in its campaign; empty if it is not known."""
    return next((str(line["question"]) for line in selectors.lines_in(release, INDEX, qid)), "")


def _reported(request: HttpRequest, question_id: str, form: ReportForm) -> bool | None:
    """Return whether a report was stored; None if it was refused, which the form then says."""
    try:
        return report_question(
            question_id=question_id, address=address_of(request), **form.cleaned_data
        )
    except REFUSALS as error:
        form.add_error(None, refusal_of(error).message)
        return None
