"""What the pages say of changed settings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from collection.models import Campaign, SettingsChange
from collection.selectors.settings import outdated_quotes
from frontend.setup.settings_forms import TEXTS


@dataclass(frozen=True, slots=True)
class Change:
    """A setting's name, and its value before and after, in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What was changed at one time, or that the campaign was created; by whom, in words.

    A history may begin after the campaign was created, without changes and with nobody.
    """

    at: datetime
    by: str
    is_created: bool
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Outdated:
    """Settings that guidelines quote as they were before."""

    version: int
    changes: tuple[Change, ...]


def history_of(campaign: Campaign) -> list[Entry]:
    """Return the history of a campaign's settings, newest first."""
    rows = SettingsChange.objects.filter(campaign=campaign).select_related("by").order_by("-pk")
    return [
        Entry(
            at=row.created_at,
            by=_by(row, campaign),
            is_created=_is_created(row, campaign),
            changes=_changes((name, row.before[name], row.after[name]) for name in row.before),
        )
        for row in rows
    ]


def _is_created(row: SettingsChange, campaign: Campaign) -> bool:
    return not row.before and row.created_at <= campaign.created_at


def _by(row: SettingsChange, campaign: Campaign) -> str:
    if row.by:
        return str(row.by.public_id)
    return _("the platform") if row.before or _is_created(row, campaign) else ""


def outdated(campaign: Campaign) -> Outdated | None:
    """Return the settings that the newest guidelines quote and that have changed since."""
    quotes = outdated_quotes(campaign)
    return Outdated(quotes.version, _changes(quotes.changes)) if quotes else None


def _changes(changes: Iterable[tuple[str, Any, Any]]) -> tuple[Change, ...]:
    return tuple(
        Change(str(TEXTS[name][0]) if name in TEXTS else name, *(_said(name, v) for v in values))
        for name, *values in changes
    )


def _said(name: str, value: Any) -> str:
    if value is None or value in ("", []):
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(_choices(name).get(value, value))


def _choices(name: str) -> Mapping[Any, Any]:
    field: Any = next((f for f in Campaign._meta.concrete_fields if f.name == name), None)
    return dict(field.flatchoices) if field is not None else {}
