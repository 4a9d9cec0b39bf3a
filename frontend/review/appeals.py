"""Appeals: workers request a review of a decision, curators answer."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from frontend.http import PageRequest, curators_only, signed_in
from frontend.paging import page_of
from frontend.review.appeal_reads import appeal_rows, appealable, appealed
from frontend.review.forms import AppealAnswerForm, AppealForm
from panels.models import PanelSeat
from panels.services import answer_appeal, appeal, matter_of
from validation.models import Appeal, QualityNotice, Vote
from validation.services.review.appeals import WINDOW
from winoplatform.errors import DomainError
from workers.models import AuditEvent
from workers.services import open_pause
from workers.services.audit import audits

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
@curators_only()
def appeals(request: PageRequest) -> HttpResponse:
    """List appeals; by default those without an answer."""
    rows = Appeal.objects.select_related("worker", "decided_by")
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


@curators_only("POST")
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
