"""The validation page in fragments: the current question, or why there is none."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign
from collection.services.joining import access
from frontend.earnings import validated_today
from frontend.http import PageRequest, lead_to, show
from frontend.templatetags.shell import over_page
from frontend.validating.reads import VoteAnswers, has_lapsed, held_seat, said_in
from validation import services
from validation.models import Seat, Vote
from validation.selectors.free_seats import empty_queues, usual_gap
from validation.services import golds
from winoplatform import clock
from winoplatform.errors import DomainError
from workers.models import Qualification
from workers.services import open_pause

BEATS_PER_LEASE = 3
GIVEN_BACK = "given-back"
REFUSES_ALL = ("worker_paused", "campaign_not_open", "vote_limit", "daily_vote_limit")
"""Refusals of a claim that another claim would only meet again."""


def show_question(
    request: PageRequest,
    campaign: Campaign,
    context: dict[str, Any],
    *,
    now: datetime | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page or its changing part; the context has only what a validator may see.

    *now* is by the database's clock, if already known.
    """
    seat: Seat | None = context.pop("seat", None)
    context = {"campaign": campaign, "reports": Vote.Report.choices, **context}
    if seat is not None and "amending" not in context:
        context |= lease_of(seat, campaign, now or clock.now())
    if seat is not None:
        context["question"] = services.view(seat)
        context["reward"] = seat.reward
    return show(
        request, "frontend/validating/validate.html", context, part="question", status=status
    )


def lease_of(seat: Seat, campaign: Campaign, now: datetime) -> dict[str, Any]:
    """Return the seconds left of a validator's lease; their own clock may be wrong."""
    left = seat.leased_until - now if seat.leased_until else timedelta(0)
    return {
        "beat_seconds": 60 * campaign.vote_minutes / BEATS_PER_LEASE,
        "seconds_left": max(0, int(left.total_seconds())),
    }


def current(
    request: PageRequest,
    campaign: Campaign,
    *,
    seat: Seat | None = None,
    refusal: DomainError | None = None,
    message: str = "",
    said: VoteAnswers | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the current question, and the error of the last answer, if any.

    The form contains what was *said*.
    """
    now = clock.now()
    seat = seat or held_seat(request.user, campaign, now)
    context: dict[str, Any] = {"seat": seat, "refusal": refusal, "message": message, "said": said}
    if seat is None:
        context |= _idle(request, campaign, now)
    given_back = request.GET.get(GIVEN_BACK, "")
    if seat is None or seat.local_at is None:
        context |= receipt_of(request, campaign)
        if given_back and not (refusal or message):
            return show_question(request, campaign, context | {"given_back": given_back}, now=now)
        context |= _last_vote(request, campaign)
    return show_question(request, campaign, context, now=now, status=status)


def _last_vote(request: PageRequest, campaign: Campaign) -> dict[str, Any]:
    last = services.amendable(worker=request.user, campaign=campaign)
    is_amended = last is not None and last.vote.amended_at is not None
    is_recorded = last is not None and not is_amended
    return {"amended": is_amended, "recorded": is_recorded, "undo": is_recorded}


def _idle(request: PageRequest, campaign: Campaign, now: datetime) -> dict[str, Any]:
    eligibility = access.eligibility(request.user, campaign, skill=Qualification.Skill.VALIDATE)
    here = Campaign.objects.filter(pk=campaign.pk)
    nothing_left = empty_queues(worker=request.user, campaigns=here, now=now).get(campaign.pk)
    return {
        "lapsed": has_lapsed(request.user, campaign, now),
        "nothing_left": nothing_left,
        "usual_gap": usual_gap(campaign, timezone.now()) if nothing_left else None,
        "is_waiting": "waiting" in request.GET,
        "pause": open_pause(request.user),
        "hindrance": eligibility.refusal,
        "next_step": eligibility.next_step,
    }


def receipt_of(request: PageRequest, campaign: Campaign) -> dict[str, Any]:
    """Return what is shown above a new question: today's count and a notice of quality control."""
    notice = golds.unseen_notice(request.user, campaign) if campaign.gold_share else None
    return {"today": validated_today(request.user, campaign, timezone.now()), "notice": notice}


def next_question(
    request: PageRequest,
    campaign: Campaign,
    *,
    recorded: bool = False,
    amended: bool = False,
    given_back: str = "",
) -> HttpResponse:
    """Claim the next question; if there is none, show why and when to try again.

    Without scripts, redirect with what was ``given_back``.
    """
    context: dict[str, Any] = {"recorded": recorded, "amended": amended, "undo": recorded}
    context["given_back"] = given_back
    try:
        seat = services.claim_seat(worker=request.user, campaign=campaign)
    except DomainError as refusal:
        return _nothing(request, campaign, refusal, context)
    if not request.htmx:
        query = {GIVEN_BACK: given_back} if given_back else None
        return redirect(reverse("validate", args=[campaign.slug], query=query))
    context |= {"seat": seat, **receipt_of(request, campaign)}
    return show_question(request, campaign, context)


def _nothing(
    request: PageRequest, campaign: Campaign, refusal: DomainError, context: dict[str, Any]
) -> HttpResponse:
    if refusal.code in access.STEPS:
        return lead_to(request, reverse("join-validate", args=[campaign.slug]))
    if (over := over_page(request, refusal)) is not None:
        return over
    again_at = refusal.details.get("again_at")
    context |= {
        "empty": refusal,
        "again_at": datetime.fromisoformat(again_at) if again_at else None,
        "is_final": refusal.code in REFUSES_ALL,
        "usual_gap": usual_gap(campaign, timezone.now()),
        "pause": open_pause(request.user) if refusal.code == "worker_paused" else None,
        **receipt_of(request, campaign),
    }
    is_done = context["recorded"] or context["given_back"]
    status = 200 if refusal.code == "queue_empty" or is_done else refusal.status
    return show_question(request, campaign, context, status=status)


def explained(request: PageRequest, campaign: Campaign, refusal: DomainError) -> HttpResponse:
    """Show a refusal together with the possible next steps."""
    return current(request, campaign, refusal=refusal, status=refusal.status)


def to_amend(
    request: PageRequest,
    campaign: Campaign,
    seat: Seat,
    *,
    said: VoteAnswers | None = None,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the last question again, with its answers.

    The current question is not kept: if unopened, the next claim returns it.
    """
    context = {"seat": seat, "said": said or said_in(seat), "amending": True, "message": message}
    return show_question(request, campaign, context, status=status)


def receipt(
    request: PageRequest, campaign: Campaign, refusal: DomainError | None = None
) -> HttpResponse:
    """Acknowledge a vote on a page that already shows the next question."""
    context = {
        "campaign": campaign,
        "refusal": refusal,
        "recorded": refusal is None,
        "undo": refusal is None,
        **receipt_of(request, campaign),
    }
    status = refusal.status if refusal else 200
    return render(request, "frontend/validating/stored.html", context, status=status)
