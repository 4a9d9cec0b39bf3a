"""The page on which people answer the questions of a panel."""

import uuid
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from collection.services.joining import access
from frontend.http import PageRequest, blind_only, existing, lead_to, show
from frontend.lookups import campaign_for
from frontend.panels.forms import VoteForm
from frontend.panels.reads import seat_page
from frontend.templatetags.shell import code_page, over_page
from panels import selectors, services
from panels.adapters import adapter_of
from panels.models import Panel, PanelSeat
from validation.models import Vote
from validation.services.validating.amendments import undo_over
from winoplatform import clock
from winoplatform.errors import DomainError


def _panel(request: PageRequest, public_id: uuid.UUID) -> Panel:
    rows = Panel.objects.visible_to(request.user).select_related("campaign")
    panel = existing(rows, _("There is no such evaluation."), public_id=public_id)
    campaign_for(request.user, panel.campaign.slug)  # a draft is not there for workers
    return panel


@blind_only("GET", "POST")
def answer(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show the question in hand; POST claims the next one."""
    panel = _panel(request, public_id)
    if request.method == "POST":
        return _next(request, panel)
    return _current(request, panel)


@blind_only("POST")
def enrol(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Take part in a panel of enrolments, and show its first question."""
    panel = _panel(request, public_id)
    try:
        services.enrol(worker=request.user, panel=panel)
    except DomainError as refusal:
        return _nothing(request, panel, refusal)
    return _next(request, panel)


@blind_only("POST")
def vote(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Store the vote, and show the next question."""
    panel = _panel(request, public_id)
    form = VoteForm(request.POST)
    if not form.is_valid():
        return _current(request, panel, message=_("Choose one of the options."), status=400)
    try:
        services.cast_vote(worker=request.user, seat_id=seat_id, **form.arguments())
    except DomainError as refusal:
        return _current(request, panel, refusal=refusal, status=refusal.status)
    return code_page(request, seat_id) or _next(request, panel, recorded=True)


@blind_only("GET", "POST")
def amend(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Show the last answer to change it; POST stores it, and shows the next question."""
    panel = _panel(request, public_id)
    if request.method == "GET":
        return _to_amend(request, panel, seat_id)
    form = VoteForm(request.POST)
    if not form.is_valid():
        return _to_amend(request, panel, seat_id, message=_("Choose one of the options."))
    try:
        services.amend_vote(worker=request.user, seat_id=seat_id, **form.arguments())
    except DomainError as refusal:
        return _current(request, panel, refusal=refusal, status=refusal.status)
    return _next(request, panel, amended=True)


def _to_amend(
    request: PageRequest, panel: Panel, seat_id: uuid.UUID, *, message: str = ""
) -> HttpResponse:
    """Show the last question again with its answer; if it is too late, the current one."""
    seat = services.amendable(worker=request.user, panel=panel)
    if seat is None or seat.public_id != seat_id:
        return _current(request, panel, refusal=undo_over(), status=409)
    was = None if seat.fails else services.shown_vote(seat)
    context = {"amending": True, "was": was, "message": message}
    status = 400 if message else 200
    return _show(request, panel, seat, context, now=clock.now(), status=status)


@blind_only("POST")
def beat(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Extend the lease while the page is open and in use."""
    panel = _panel(request, public_id)
    try:
        seat = services.beat_seat(worker=request.user, seat_id=seat_id)
    except DomainError as refusal:
        return _current(request, panel, refusal=refusal, status=refusal.status)
    context = {"panel": panel, "question": seat_page(seat, now=clock.now())}
    return render(request, "frontend/panels/lease.html", context)


@blind_only("POST")
def give_back(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Return the question without a vote, and leave the page."""
    panel = _panel(request, public_id)
    try:
        services.return_seat(worker=request.user, seat_id=seat_id)
    except DomainError as refusal:
        return _current(request, panel, refusal=refusal, status=refusal.status)
    return lead_to(request, reverse("home"))


def _current(
    request: PageRequest,
    panel: Panel,
    *,
    refusal: DomainError | None = None,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    now = clock.now()
    seat = selectors.held_seat(request.user, panel, now=now)
    context: dict[str, Any] = {"refusal": refusal, "message": message}
    if not (refusal or message):
        last = services.amendable(worker=request.user, panel=panel)
        is_amended = last is not None and last.amended_at is not None
        context |= {"amended": is_amended, "recorded": last is not None and not is_amended}
        context["undo"] = None if is_amended else last
    if seat is None and panel.is_queue:
        try:
            services.refuse_unless_asking(panel)
            context["nothing"] = selectors.why_nothing_left(request.user, panel, now=now)
        except DomainError as closed:
            context["empty"] = closed
    return _show(request, panel, seat, context, now=now, status=status)


def _next(
    request: PageRequest, panel: Panel, *, recorded: bool = False, amended: bool = False
) -> HttpResponse:
    undo = services.amendable(worker=request.user, panel=panel) if recorded else None
    context = {"recorded": recorded, "amended": amended, "undo": undo}
    try:
        seat = services.claim_seat(worker=request.user, panel=panel)
    except DomainError as refusal:
        return _nothing(request, panel, refusal, context)
    if not request.htmx:
        return redirect("answer-human", panel.public_id)
    seat.panel = panel
    return _show(request, panel, seat, context, now=clock.now())


def _nothing(
    request: PageRequest,
    panel: Panel,
    refusal: DomainError,
    context: dict[str, Any] | None = None,
) -> HttpResponse:
    if refusal.code in access.STEPS:
        return lead_to(request, reverse("join-validate", args=[panel.campaign.slug]))
    if (over := over_page(request, refusal)) is not None:
        return over
    again_at = refusal.details.get("again_at")
    context = {
        **(context or {}),
        "empty": refusal,
        "again_at": datetime.fromisoformat(again_at) if again_at else None,
    }
    is_done = context.get("recorded") or context.get("amended")
    status = 200 if refusal.code == "queue_empty" or is_done else refusal.status
    return _show(request, panel, None, context, now=clock.now(), status=status)


def _show(
    request: PageRequest,
    panel: Panel,
    seat: PanelSeat | None,
    context: dict[str, Any],
    *,
    now: datetime,
    status: int = 200,
) -> HttpResponse:
    """Render the page or its changing part; the context has only what people may see."""
    earned = selectors.earned_by(request.user, panel)
    context |= {
        "panel": panel,
        "campaign": panel.campaign,
        "words": adapter_of(panel),
        "question": seat_page(seat, now=now) if seat is not None else None,
        "earned": earned,
        "n_asked": selectors.most_answers(panel),
        "reports": Vote.Report.choices,
    }
    if not panel.is_queue:
        context |= {
            "enrolment": selectors.enrolment_of(request.user, panel),
            "is_done": earned.n_answers >= panel.n_items and "amending" not in context,
        }
    template = "frontend/panels/answer.html"
    return show(request, template, context, part="question", status=status)
