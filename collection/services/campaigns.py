"""What curators can do with campaigns."""

from typing import Any

from django.db import transaction

from collection.models import Campaign
from winoplatform.errors import DomainError

MOVES = {
    Campaign.Status.DRAFT: {Campaign.Status.OPEN},
    Campaign.Status.OPEN: {Campaign.Status.PAUSED, Campaign.Status.CLOSED},
    Campaign.Status.PAUSED: {Campaign.Status.OPEN, Campaign.Status.CLOSED},
    Campaign.Status.CLOSED: set(),
}


@transaction.atomic
def create_campaign(**fields: Any) -> Campaign:
    """Make a campaign; every threshold and reward has the paper's value by default."""
    campaign = Campaign(**fields)
    campaign.full_clean()
    campaign.save()
    return campaign


@transaction.atomic
def update_campaign(*, campaign: Campaign, **changes: Any) -> Campaign:
    """Change a campaign's settings; what has been written, judged and paid stays as it is."""
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    for name, value in changes.items():
        setattr(locked, name, value)
    locked.full_clean()
    locked.save(update_fields=list(changes))
    return locked


@transaction.atomic
def change_status(*, campaign: Campaign, status: str) -> Campaign:
    """Move a campaign along its arrows (see ``Campaign``)."""
    sources = [source for source, targets in MOVES.items() if status in targets]
    moved = Campaign.objects.filter(pk=campaign.pk, status__in=sources).update(status=status)
    campaign.refresh_from_db()
    if not moved:
        raise DomainError(
            "status_not_reachable",
            f"The campaign is {campaign.get_status_display()}; it cannot become {status}.",
            status=409,
        )
    return campaign
