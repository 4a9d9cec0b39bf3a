"""The history of a campaign's settings, and guidelines that quote former ones."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from collection.core.quotes import quoted
from collection.models import Campaign, SettingsChange


@dataclass(frozen=True, slots=True)
class Quotes:
    """Settings that the newest guidelines quote as they were before: name, then and now."""

    version: int
    changes: tuple[tuple[str, Any, Any], ...]


def settings_at(campaign: Campaign, at: datetime) -> dict[str, Any]:
    """Return a campaign's settings at a time; as far back as its history goes."""
    stood = campaign.settings
    later = SettingsChange.objects.filter(campaign=campaign, created_at__gt=at).order_by("-pk")
    for before in later.values_list("before", flat=True):
        stood |= before
    return stood


def outdated_quotes(campaign: Campaign) -> Quotes | None:
    """Return what the newest guidelines quote and has changed since; None for nothing."""
    guideline = campaign.guideline
    if guideline is None:
        return None
    then, now = settings_at(campaign, guideline.created_at), campaign.settings
    changed = {name: value for name, value in then.items() if value != now[name]}
    names = quoted(guideline.text + "\n" + guideline.aids_policy, changed)
    changes = tuple((name, then[name], now[name]) for name in names)
    return Quotes(guideline.version, changes) if changes else None
