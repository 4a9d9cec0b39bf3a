"""The history of a campaign's settings, written in the transaction of the change."""

from typing import Any

from collection.models import Campaign, SettingsChange
from winoplatform import clock
from workers.models import User


def begin(campaign: Campaign, *, by: User | None = None) -> None:
    """Begin the history of a campaign that was just created."""
    campaign.refresh_from_db()  # numbers as the database has rounded them
    SettingsChange.objects.create(
        campaign=campaign, after=campaign.settings, by=by, created_at=campaign.created_at
    )


def note(campaign: Campaign, *, before: dict[str, Any], by: User | None) -> None:
    """Add what differs from the settings *before*; the campaign's row is locked."""
    campaign.refresh_from_db()
    after = campaign.settings
    changed = [name for name, value in after.items() if value != before[name]]
    if not changed:
        return
    SettingsChange.objects.get_or_create(
        campaign=campaign,
        before={},
        defaults={"after": before, "created_at": campaign.created_at},
    )
    SettingsChange.objects.create(
        campaign=campaign,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
        by=by,
        created_at=clock.now(),
    )
