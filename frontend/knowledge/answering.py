"""The page on which annotators answer about the sentences of a set."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from collection.services.joining import access
from frontend.http import PageRequest, blind_only, existing, lead_to, show
from frontend.knowledge.forms import AnswerForm
from frontend.knowledge.reads import Owed, enrolment_of, owed_to
from frontend.lookups import campaign_for
from frontend.shell.session_bar import code_page, over_page
from knowledge import selectors, services
from knowledge.models import SentenceSeat, SetValidation
from winoplatform import clock
from winoplatform.errors import DomainError

BEATS_PER_LEASE = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """What the holder of a seat sees: the problem, and nothing of its label, kind or pair."""

    seat: SentenceSeat
    problem: str
    beat_seconds: float
    seconds_left: int


def shown(seat: SentenceSeat, validation: SetValidation, *, now: datetime) -> Shown:
    left = seat.leased_until - now if seat.leased_until else timedelta(0)
    return Shown(
        seat=seat,
        problem=seat.sentence.problem,
        beat_seconds=60 * validation.campaign.vote_minutes / BEATS_PER_LEASE,
        seconds_left=max(0, int(left.total_seconds())),
    )


def _validation(request: PageRequest, public_id: uuid.UUID) -> SetValidation:
    rows = SetValidation.objects.visible_to(request.user).select_related("campaign")
    found = existing(rows, _("There is nothing to answer here."), public_id=public_id)
    campaign_for(request.user, found.campaign.slug)  # a draft is not there for workers
    return found


@blind_only("GET", "POST")
def answer(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show the problem in hand; POST claims the next one."""
    validation = _validation(request, public_id)
    if request.method == "POST":
        return _next(request, validation)
    return _current(request, validation)


@blind_only("POST")
def enrol(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Take part in a set, and show its first problem."""
    validation = _validation(request, public_id)
    try:
        services.enrol(worker=request.user, validation=validation)
    except DomainError as refusal:
        return _nothing(request, validation, refusal)
    return _next(request, validation)


@blind_only("POST")
def give(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Store the answer, and show the next problem."""
    validation = _validation(request, public_id)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _current(request, validation, message=_("Choose an answer."), status=400)
    try:
        services.answer_sentence(worker=request.user, seat_id=seat_id, **form.asked())
    except DomainError as refusal:
        return _current(request, validation, refusal=refusal, status=refusal.status)
    return code_page(request, seat_id) or _next(request, validation, recorded=True)


@blind_only("POST")
def beat(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Extend the lease while the page is open and in use."""
    validation = _validation(request, public_id)
    try:
        seat = services.beat_sentence(worker=request.user, seat_id=seat_id)
    except DomainError as refusal:
        return _current(request, validation, refusal=refusal, status=refusal.status)
    context = {"validation": validation, "question": shown(seat, validation, now=clock.now())}
    return render(request, "frontend/knowledge/lease.html", context)


@blind_only("POST")
def give_back(request: PageRequest, public_id: uuid.UUID, seat_id: uuid.UUID) -> HttpResponse:
    """Return the problem without an answer, and leave the page."""
    validation = _validation(request, public_id)
    try:
        services.return_sentence(worker=request.user, seat_id=seat_id)
    except DomainError as refusal:
        return _current(request, validation, refusal=refusal, status=refusal.status)
    return lead_to(request, reverse("home"))


def _current(
    request: PageRequest,
    validation: SetValidation,
    *,
    refusal: DomainError | None = None,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    now = clock.now()
    seat = selectors.held_sentence(request.user, validation, now=now)
    context: dict[str, Any] = {"refusal": refusal, "message": message}
    return _show(request, validation, seat, context, now=now, status=status)


def _next(
    request: PageRequest, validation: SetValidation, *, recorded: bool = False
) -> HttpResponse:
    try:
        seat = services.claim_sentence(worker=request.user, validation=validation)
    except DomainError as refusal:
        return _nothing(request, validation, refusal, recorded=recorded)
    if not request.htmx:
        return redirect("answer-knowledge", validation.public_id)
    return _show(request, validation, seat, {"recorded": recorded}, now=clock.now())


def _nothing(
    request: PageRequest,
    validation: SetValidation,
    refusal: DomainError,
    *,
    recorded: bool = False,
) -> HttpResponse:
    if refusal.code in access.STEPS:
        return lead_to(request, reverse("join-validate", args=[validation.campaign.slug]))
    if (over := over_page(request, refusal)) is not None:
        return over
    is_done = refusal.code == "queue_empty"
    context = {"empty": refusal, "recorded": recorded, "is_done": is_done}
    status = 200 if is_done or recorded else refusal.status
    return _show(request, validation, None, context, now=clock.now(), status=status)


def _show(
    request: PageRequest,
    validation: SetValidation,
    seat: SentenceSeat | None,
    context: dict[str, Any],
    *,
    now: datetime,
    status: int = 200,
) -> HttpResponse:
    """Render the page or its changing part; the context has only what annotators may see."""
    owed: Owed = owed_to(request.user, validation)
    context |= {
        "validation": validation,
        "campaign": validation.campaign,
        "enrolment": enrolment_of(request.user, validation),
        "owed": owed,
        "is_done": context.get("is_done") or owed.n_answers >= validation.n_problems,
        "question": shown(seat, validation, now=now) if seat is not None else None,
    }
    template = "frontend/knowledge/answer.html"
    return show(request, template, context, part="question", status=status)
