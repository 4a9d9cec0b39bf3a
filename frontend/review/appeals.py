"""Appeals of workers, for them and for curators."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Question
from frontend.findings import reason_sentence
from frontend.http import REVIEW, PageRequest, curators_only, signed_in
from frontend.paging import page_of
from frontend.review.forms import AppealAnswerForm, AppealForm
from panels.models import PanelSeat
from panels.services import answer_appeal, appeal, matter_of
from validation.models import Appeal, QualityNotice, Verdict, Vote
from validation.selectors.people import appeals_for
from validation.services.review.appeals import WINDOW
from winoplatform.errors import DomainError
from workers.models import AuditEvent, Pause, User
from workers.services import open_pause
from workers.services.audit import audits


@dataclass(frozen=True, slots=True)
class AppealRow:
    """An appeal, its subject, the page where a curator sees it, and the verdict as it stands."""

    appeal: Appeal
    about: str
    link: str
    decision: str = ""


def appeal_rows(appeals: Sequence[Appeal]) -> list[AppealRow]:
    """Describe the subject of each appeal, in four queries."""
    units = {subject: _units(appeals, subject) for subject in Appeal.Subject}
    questions = Question.objects.filter(public_id__in=units[Appeal.Subject.QUESTION])
    votes = Vote.objects.filter(public_id__in=units[Appeal.Subject.VOTE])
    pauses = Pause.objects.filter(pk__in=units[Appeal.Subject.PAUSE]).select_related("worker")
    appealed_units: dict[tuple[str, str], tuple[str, str]] = {}
    for question in questions.select_related("twin__campaign"):
        appealed_units[Appeal.Subject.QUESTION, question.public_id] = (
            question.sentence,
            _desk(question),
        )
    for vote in votes.select_related("question__twin__campaign"):
        about = f"{vote.question.sentence} ({vote.exclusion_reason})"
        appealed_units[Appeal.Subject.VOTE, str(vote.public_id)] = about, _desk(vote.question)
    for seat in PanelSeat.objects.filter(public_id__in=units[Appeal.Subject.VOTE]).select_related(
        "item", "panel", "worker"
    ):
        appealed_units[Appeal.Subject.VOTE, str(seat.public_id)] = (
            f"{seat.item.item.blanked} ({seat.exclusion_reason})",
            _page_of_people(seat),
        )
    for pause in pauses:
        appealed_units[Appeal.Subject.PAUSE, str(pause.pk)] = (
            pause.reason,
            reverse("person", args=[pause.worker.public_id]),
        )
    decisions = _decisions(questions)
    return [
        AppealRow(
            appeal_row,
            *appealed_units.get((appeal_row.subject, appeal_row.unit), ("", "")),
            decision=decisions.get(appeal_row.unit, ""),
        )
        for appeal_row in appeals
    ]


def _decisions(questions: "QuerySet[Question]") -> dict[str, str]:
    """Return the verdicts on questions as they stand, with the reasons, by public id."""
    verdicts = Verdict.objects.filter(question__in=questions.order_by()).select_related("question")
    return {
        verdict.question.public_id: _("valid")
        if verdict.valid
        else " ".join([_("not valid."), *map(reason_sentence, verdict.reasons)])
        for verdict in verdicts
    }


def _units(appeals: Sequence[Appeal], subject: str) -> list[str]:
    return [appeal_row.unit for appeal_row in appeals if appeal_row.subject == subject]


def _desk(question: Question) -> str:
    return reverse("review-question", args=[question.twin.campaign.slug, question.public_id])


def _page_of_people(seat: PanelSeat) -> str:
    assert seat.worker is not None  # who appealed
    return reverse("human-evaluation-person", args=[seat.panel.public_id, seat.worker.public_id])


def appealed(worker: User, subject: str) -> set[str]:
    """Return the subjects of a kind that *worker* has already appealed against."""
    mine = Appeal.objects.filter(worker=worker, subject=subject)
    return set(mine.values_list("unit", flat=True))


@dataclass(frozen=True, slots=True)
class ExcludedRow:
    """An excluded vote, and whether its worker can still appeal."""

    unit: str
    sentence: str
    reason: str
    excluded_at: datetime
    may_appeal: bool


def appealable(worker: User, votes: Sequence[Vote | PanelSeat]) -> list[ExcludedRow]:
    """Return the worker's excluded votes, and whether an appeal is still possible."""
    known, now = appealed(worker, Appeal.Subject.VOTE), timezone.now()
    return [
        ExcludedRow(
            str(vote.public_id),
            vote.question.sentence if isinstance(vote, Vote) else vote.item.item.blanked,
            vote.exclusion_reason,
            vote.excluded_at,
            str(vote.public_id) not in known and now <= vote.excluded_at + WINDOW,
        )
        for vote in votes
        if vote.excluded_at is not None
    ]


APPEALS, VOTES = 20, 10


@signed_in()
def my_appeals(request: PageRequest) -> HttpResponse:
    """Show what the worker can appeal against, and the results of earlier appeals."""
    mine = Appeal.objects.filter(worker=request.user)
    excluded = Vote.objects.filter(worker=request.user, excluded_at__isnull=False)
    votes = page_of(
        excluded.select_related("question__twin", "seat"), request, parameter="votes", size=VOTES
    )
    of_people = PanelSeat.objects.filter(worker=request.user, excluded_at__isnull=False)
    human_votes = page_of(
        of_people.select_related("item"), request, parameter="answers", size=VOTES
    )
    page = page_of(mine, request, parameter="appeals", size=APPEALS)
    context = {
        "page": page,
        "rows": appeal_rows(page.rows),
        "votes": votes,
        "vote_rows": appealable(request.user, votes.rows),
        "human_votes": human_votes,
        "human_rows": appealable(request.user, human_votes.rows),
        "pause": open_pause(request.user),
        "appealed": appealed(request.user, Appeal.Subject.PAUSE),
        "days": WINDOW.days,
        "notices": QualityNotice.objects.filter(worker=request.user).select_related("campaign")[:5],
    }
    return render(request, "frontend/review/my_appeals.html", context)


@signed_in("GET", "POST")
def make_appeal(request: PageRequest, subject: str, unit: str) -> HttpResponse:
    """Appeal against a decision about the worker's own work."""
    matter = matter_of(worker=request.user, subject=subject, unit=unit)
    if request.method == "GET" and matter.unit in appealed(request.user, subject):
        messages.info(request, _("You have already appealed against this."))
        return redirect("my-appeals")
    form = AppealForm(request.POST if request.method == "POST" else None)
    refusal, status = None, 400 if form.is_bound else 200
    if form.is_valid():
        try:
            appeal(worker=request.user, subject=subject, unit=unit, **form.cleaned_data)
        except DomainError as error:
            refusal, status = error, error.status
        else:
            messages.success(request, _("Your appeal was sent. The answer will appear here."))
            return redirect("my-appeals")
    context = {
        "matter": matter,
        "subject": Appeal.Subject(subject),
        "form": form,
        "refusal": refusal,
    }
    return render(request, "frontend/review/appeal.html", context, status=status)


@audits(AuditEvent.Kind.LABELS)
@curators_only(needs=REVIEW)
def appeals(request: PageRequest) -> HttpResponse:
    """List appeals; by default those without an answer."""
    rows: Any = appeals_for(request.user).select_related("worker", "decided_by")
    shows_all = request.GET.get("all") == "1"
    if not shows_all:
        rows = rows.open()
    page = page_of(rows, request, parameter="appeals", size=APPEALS)
    context = {
        "page": page,
        "rows": appeal_rows(page.rows),
        "shows_all": shows_all,
        "days": WINDOW.days,
    }
    return render(request, "frontend/review/appeals.html", context)


@curators_only("POST", needs=REVIEW)
def answer(request: PageRequest, appeal_id: uuid.UUID) -> HttpResponse:
    """Answer an appeal; upholding it has immediate effect."""
    form = AppealAnswerForm(request.POST)
    if not form.is_valid():
        words = form.errors.get("answer") or [_("Choose whether to uphold or decline the appeal.")]
        messages.warning(request, str(words[0]))
        return redirect("appeals")
    try:
        answer_appeal(appeal_id=appeal_id, by=request.user, **form.cleaned_data)
    except DomainError as refusal:
        messages.warning(request, refusal.message)
    else:
        messages.success(request, _("Your answer was sent."))
    return redirect("appeals")
