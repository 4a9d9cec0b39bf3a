"""Judging in two steps: the part around the gap first, then the whole sentence."""

import uuid
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from collection.models import Campaign
from frontend.crowd_bar import SESSION_KEY
from frontend.forms.judge import LocalAnswerForm, VoteForm
from frontend.http import PageRequest, blind_only, show
from frontend.selectors.campaigns import campaign_for
from frontend.selectors.work import held_seat, waiting_in
from validation import services
from winoplatform.errors import DomainError
from workers.models import Pause


@blind_only
@require_http_methods(["GET", "POST"])
def judge(request: PageRequest, slug: str) -> HttpResponse:
    """Show the question in the judge's hands; POST takes the next one."""
    campaign = campaign_for(request.user, slug)
    if request.method == "POST":
        return _next(request, campaign)
    return _current(request, campaign)


def _current(
    request: PageRequest,
    campaign: Campaign,
    *,
    refusal: DomainError | None = None,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the held question, and what was wrong with the last answer, if anything."""
    now = timezone.now()
    seat = held_seat(request.user, campaign, now)
    context: dict[str, Any] = {"campaign": campaign, "refusal": refusal, "message": message}
    if seat is None:
        context["waiting"] = waiting_in(request.user, campaign, now)
        context["pause"] = Pause.objects.open().filter(worker=request.user).first()
    else:
        # Only what the service lets a judge see reaches the template.
        context["question"] = services.view(seat)
    return show(request, "frontend/judge.html", context, part="question", status=status)


def _next(request: PageRequest, campaign: Campaign, *, recorded: bool = False) -> HttpResponse:
    """Take the next question; where there is none, say why and when to look again."""
    context: dict[str, Any] = {"campaign": campaign, "recorded": recorded}
    try:
        seat = services.claim_seat(worker=request.user, campaign=campaign)
    except DomainError as refusal:
        if refusal.code == "session_over" and SESSION_KEY in request.session:
            return _to_session(request)
        if refusal.code != "queue_empty":
            return _explained(request, campaign, refusal)
        again_at = refusal.details.get("again_at")
        context |= {
            "empty": refusal,
            "again_at": datetime.fromisoformat(again_at) if again_at else None,
        }
        return show(request, "frontend/judge.html", context, part="question")
    if not request.htmx:
        return redirect("judge", campaign.slug)
    context["question"] = services.view(seat)
    return show(request, "frontend/judge.html", context, part="question")


def _to_session(request: PageRequest) -> HttpResponse:
    """Show how a crowd session ended: its code is what the judge needs now."""
    address = reverse("crowd-session", args=[request.session[SESSION_KEY]])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


@blind_only
@require_POST
def answer_local(request: PageRequest, slug: str, seat_id: uuid.UUID) -> HttpResponse:
    """Store what the part around the gap alone tells, and uncover the sentence."""
    campaign = campaign_for(request.user, slug)
    form = LocalAnswerForm(request.POST)
    if not form.is_valid():
        return _current(request, campaign, message=_("Choose 1, 2 or “cannot tell”."), status=400)
    try:
        services.answer_local(
            worker=request.user, seat_id=seat_id, shown_option=form.shown_option()
        )
    except DomainError as refusal:
        return _explained(request, campaign, refusal)
    return _current(request, campaign) if request.htmx else redirect("judge", slug)


def _explained(request: PageRequest, campaign: Campaign, refusal: DomainError) -> HttpResponse:
    """Show a refusal beside what can be done now."""
    return _current(request, campaign, refusal=refusal, status=refusal.status)


@blind_only
@require_POST
def cast_vote(request: PageRequest, slug: str, seat_id: uuid.UUID) -> HttpResponse:
    """Store the vote and go on with the next question at once."""
    campaign = campaign_for(request.user, slug)
    form = VoteForm(request.POST)
    if not form.is_valid():
        first = next(iter(form.errors.values()))[0]
        return _current(request, campaign, message=str(first), status=400)
    try:
        services.cast_vote(
            worker=request.user,
            seat_id=seat_id,
            shown_option=form.cleaned_data["option"],
            ambiguous=form.ambiguous,
        )
    except DomainError as refusal:
        return _explained(request, campaign, refusal)
    if not request.htmx:
        messages.success(request, _("Your vote is recorded."))
    return _next(request, campaign, recorded=True)


@blind_only
@require_POST
def return_seat(request: PageRequest, slug: str, seat_id: uuid.UUID) -> HttpResponse:
    """Give the question to somebody else, unjudged."""
    campaign = campaign_for(request.user, slug)
    try:
        services.return_seat(worker=request.user, seat_id=seat_id)
    except DomainError as refusal:
        return _explained(request, campaign, refusal)
    return _current(request, campaign) if request.htmx else redirect("judge", slug)
