"""The page on which people answer the questions of a human evaluation."""

import uuid
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from collection.services.joining import access
from evaluation import selectors, services
from evaluation.models import HumanEvaluation, HumanSeat
from frontend.http import PageRequest, blind_only, existing, lead_to, show
from frontend.human_evaluations.forms import VoteForm
from frontend.human_evaluations.reads import shown
from frontend.lookups import campaign_for
from frontend.shell.session_bar import code_page, over_page
from winoplatform import clock
from winoplatform.errors import DomainError


def _evaluation(request: PageRequest, public_id: uuid.UUID) -> HumanEvaluation:
    rows = HumanEvaluation.objects.select_related("campaign")
    found = existing(rows, _("There is no such evaluation."), public_id=public_id)
    campaign_for(request.user, found.campaign.slug)  # a draft is not there for workers
    return found


@blind_only("GET", "POST")
def answer(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show the question in hand; POST claims the next one."""
    evaluation = _evaluation(request, public_id)
    if request.method == "POST":
        return _next(request, evaluation)
    return _current(request, evaluation)


@blind_only("POST")
def vote(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Store the vote, and show the next question."""
    evaluation = _evaluation(request, public_id)
    form = VoteForm(request.POST)
    if not form.is_valid():
        return _current(request, evaluation, message=_("Choose one of the options."), status=400)
    try:
        services.cast_human_vote(
            worker=request.user, seat_id=seat_id, shown_option=form.cleaned_data["option"]
        )
    except DomainError as refusal:
        return _current(request, evaluation, refusal=refusal, status=refusal.status)
    return code_page(request, seat_id) or _next(request, evaluation, recorded=True)


@blind_only("POST")
def beat(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Extend the lease while the page is open and in use."""
    evaluation = _evaluation(request, public_id)
    try:
        seat = services.beat_human_seat(worker=request.user, seat_id=seat_id)
    except DomainError as refusal:
        return _current(request, evaluation, refusal=refusal, status=refusal.status)
    context = {"evaluation": evaluation, "question": shown(seat, now=clock.now())}
    return render(request, "frontend/human_evaluations/lease.html", context)


@blind_only("POST")
def give_back(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Return the question without a vote, and leave the page."""
    evaluation = _evaluation(request, public_id)
    try:
        services.return_human_seat(worker=request.user, seat_id=seat_id)
    except DomainError as refusal:
        return _current(request, evaluation, refusal=refusal, status=refusal.status)
    return lead_to(request, reverse("home"))


def _current(
    request: PageRequest,
    evaluation: HumanEvaluation,
    *,
    refusal: DomainError | None = None,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    now = clock.now()
    seat = selectors.held_seat(request.user, evaluation, now=now)
    context: dict[str, Any] = {"refusal": refusal, "message": message}
    if seat is None:
        try:
            services.refuse_unless_asking(evaluation)
            context["nothing"] = selectors.why_nothing_left(request.user, evaluation, now=now)
        except DomainError as closed:
            context["empty"] = closed
    return _show(request, evaluation, seat, context, now=now, status=status)


def _next(
    request: PageRequest, evaluation: HumanEvaluation, *, recorded: bool = False
) -> HttpResponse:
    try:
        seat = services.claim_human_seat(worker=request.user, evaluation=evaluation)
    except DomainError as refusal:
        return _nothing(request, evaluation, refusal, recorded=recorded)
    if not request.htmx:
        return redirect("answer-human", evaluation.public_id)
    seat.evaluation = evaluation
    return _show(request, evaluation, seat, {"recorded": recorded}, now=clock.now())


def _nothing(
    request: PageRequest, evaluation: HumanEvaluation, refusal: DomainError, *, recorded: bool
) -> HttpResponse:
    if refusal.code in access.STEPS:
        return lead_to(request, reverse("join-validate", args=[evaluation.campaign.slug]))
    if (over := over_page(request, refusal)) is not None:
        return over
    again_at = refusal.details.get("again_at")
    context = {
        "empty": refusal,
        "recorded": recorded,
        "again_at": datetime.fromisoformat(again_at) if again_at else None,
    }
    status = 200 if refusal.code == "queue_empty" or recorded else refusal.status
    return _show(request, evaluation, None, context, now=clock.now(), status=status)


def _show(
    request: PageRequest,
    evaluation: HumanEvaluation,
    seat: HumanSeat | None,
    context: dict[str, Any],
    *,
    now: datetime,
    status: int = 200,
) -> HttpResponse:
    """Render the page or its changing part; the context has only what people may see."""
    context |= {"evaluation": evaluation, "campaign": evaluation.campaign}
    context["question"] = shown(seat, now=now) if seat is not None else None
    template = "frontend/human_evaluations/answer.html"
    return show(request, template, context, part="question", status=status)
