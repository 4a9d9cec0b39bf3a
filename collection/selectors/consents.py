"""What people have accepted, and from which campaigns they have withdrawn."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from collection.models import Campaign, Consent
from winoplatform.errors import existing
from workers.models import User


def is_withdrawn(worker: Any, campaign: Any) -> Q:
    """Return the condition that a worker has withdrawn from a campaign and not come back.

    Both may be keys, references to an outer query, or placeholders.
    """
    theirs = Consent.objects.filter(worker=worker, guideline__campaign=campaign)
    return Q(Exists(theirs.filter(withdrawn_at__isnull=False))) & ~Q(Exists(theirs.active()))


def withdrawn_campaigns(worker: User) -> "QuerySet[Campaign]":
    """Return the campaigns that *worker* has withdrawn from."""
    return Campaign.objects.filter(is_withdrawn(worker, OuterRef("pk"))).order_by()


def consents_of(worker: User) -> "QuerySet[Consent]":
    """Return all that *worker* has ever accepted, with its words, newest first."""
    theirs = Consent.objects.filter(worker=worker).select_related("guideline__campaign")
    return theirs.order_by("-created_at", "-pk")


def campaign_of_consent(user: User, slug: str) -> Campaign:
    """Return a campaign in which *user* has ever accepted something, whatever their role is now.

    Raises
    ------
    NotFound
        For any other campaign.
    """
    given = consents_of(user).values("guideline__campaign")
    return existing(Campaign.objects.filter(pk__in=given, slug=slug).first(), "campaign")
