"""A person's own pages of consent: what was accepted, and its withdrawal."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection import services
from collection.models import Assignment, BackgroundQuestion, Campaign, Consent
from collection.selectors.consents import consents_of
from collection.selectors.crowd import session_of
from frontend.http import PageRequest, existing, signed_in
from frontend.lookups import campaign_for
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
    def newest(self) -> Consent:
        return self.rows[0]


def by_campaign(rows: Iterable[Consent]) -> list[Accepted]:
    """Group consents by campaign; the campaign accepted last comes first."""
    ordered = list(rows)
    last = {row.guideline.campaign_id: place for place, row in reversed([*enumerate(ordered)])}
    ordered.sort(key=lambda row: last[row.guideline.campaign_id])
    asking = set(
        BackgroundQuestion.objects.filter(campaign__in=last, retired_at=None)
        .order_by()
        .values_list("campaign", flat=True)
    )
    groups = groupby(ordered, key=lambda row: row.guideline.campaign_id)
    lists = [list(group) for _pk, group in groups]
    return [Accepted(own[0].guideline.campaign, own, own[0].guideline.campaign_id in asking)
            for own in lists]  # fmt: skip


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
    campaign = campaign_for(request.user, slug)
    if request.method == "POST":
        services.withdraw_consent(worker=request.user, campaign=campaign)
        messages.success(
            request, _("Your consent is withdrawn. You get no more work of this campaign.")
        )
        session = request.session.get(SESSION_KEY)
        theirs = session and session_of(request.user, session)
        if theirs and theirs.study.campaign == campaign:
            return redirect("crowd-session", session)
        return redirect("my-consents")
    rows = list(consents_of(request.user).filter(guideline__campaign=campaign))
    if not rows:
        return redirect("my-consents")
    context = {
        "campaign": campaign,
        "accepted": by_campaign(rows)[0],
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
