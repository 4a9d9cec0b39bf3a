"""A person's own pages of consent: what was accepted, and its withdrawal."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection import services
from collection.models import Assignment, BackgroundQuestion, Campaign, Consent
from collection.selectors.consents import campaign_of_consent, consents_of
from collection.selectors.crowd import session_of
from frontend.http import PageRequest, existing, signed_in
from frontend.names import JOIN_PAGES
from frontend.templatetags.shell import SESSION_KEY
from validation.models import Seat
from winoplatform import clock
from workers.models import Qualification


@dataclass(frozen=True, slots=True)
class Accepted:
    """All that a person has accepted in one campaign, newest first."""

    campaign: Campaign
    rows: list[Consent] = field(default_factory=list)
    asks_background: bool = False

    @property
    def is_active(self) -> bool:
        return any(row.withdrawn_at is None for row in self.rows)

    @property
    def join_page(self) -> str:
        """Return the page on which the person can accept again the work they accepted last."""
        return JOIN_PAGES[self.rows[0].skill]


def by_campaign(rows: Iterable[Consent]) -> list[Accepted]:
    """Group consents by campaign; the campaign accepted last comes first."""
    lists: dict[int, list[Consent]] = {}
    for row in rows:  # newest first
        lists.setdefault(row.guideline.campaign_id, []).append(row)
    questions = BackgroundQuestion.objects.filter(campaign__in=lists, retired_at=None).order_by()
    asking = set(questions.values_list("campaign", flat=True))
    return [
        Accepted(own[0].guideline.campaign, own, campaign in asking)
        for campaign, own in lists.items()
    ]


@signed_in()
def my_consents(request: PageRequest) -> HttpResponse:
    """List what the user has accepted and withdrawn, by campaign."""
    accepted = by_campaign(consents_of(request.user))
    return render(request, "frontend/consents/consents.html", {"accepted": accepted})


@signed_in()
def my_consent(request: PageRequest, consent_id: uuid.UUID) -> HttpResponse:
    """Show the words of a version that the user has accepted."""
    consent = existing(
        consents_of(request.user), _("There is no such consent."), public_id=consent_id
    )
    context = {
        "consent": consent,
        "guideline": consent.guideline,
        "campaign": consent.guideline.campaign,
        "skill": consent.skill,
        "of_validators": consent.skill != Qualification.Skill.WRITE,
    }
    return render(request, "frontend/consents/consent.html", context)


@signed_in("GET", "POST")
def withdraw_consent(request: PageRequest, slug: str) -> HttpResponse:
    """Say what follows from a withdrawal; POST withdraws."""
    campaign = campaign_of_consent(request.user, slug)
    session = request.session.get(SESSION_KEY)
    theirs = session_of(request.user, session) if session else None
    own_session = theirs if theirs and theirs.study.campaign == campaign else None
    if request.method == "POST":
        services.withdraw_consent(worker=request.user, campaign=campaign)
        messages.success(
            request, _("Your consent is withdrawn. You get no more work of this campaign.")
        )
        if own_session:
            return redirect("crowd-session", own_session.public_id)
        return redirect("my-consents")
    rows = list(consents_of(request.user).filter(guideline__campaign=campaign))
    if not rows:
        return redirect("my-consents")
    context = {
        "campaign": campaign,
        "accepted": by_campaign(rows)[0],
        "has_session": own_session is not None and own_session.ended_at is None,
        **_in_hand(request, campaign),
    }
    return render(request, "frontend/consents/withdraw.html", context)


def _in_hand(request: PageRequest, campaign: Campaign) -> dict[str, Any]:
    """Return what a withdrawal would return."""
    now = clock.now()
    articles = Assignment.objects.filter(worker=request.user, campaign=campaign)
    seats = Seat.objects.filter(worker=request.user, campaign=campaign)
    return {
        "article": articles.held(now=now).select_related("article").first(),
        "n_seats": seats.held(now=now).count(),
    }
