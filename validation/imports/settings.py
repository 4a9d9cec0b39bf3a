"""Import the history of a campaign's settings."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db.backends.utils import CursorWrapper

from collection.models import Campaign, SettingsChange
from collection.models.campaigns import MOVED
from validation.imports.files import Refused
from workers.models import User

_STAGED = "SELECT line, change, before, after FROM staged_settings ORDER BY line"


def check_settings(cursor: CursorWrapper, campaign: Campaign, path: Path) -> None:
    """Refuse a history in which an entry does not follow from those before, or of other settings.

    Raises
    ------
    Refused
    """
    stands: dict[str, Any] = {}
    for line, change, before, after in _entries(cursor):
        if not after or before.keys() != (after.keys() if stands else set()):
            raise Refused(path.name, line, "An entry has the same settings before and after.")
        if any(before[name] != stands.get(name) for name in before):
            raise Refused(path.name, line, "Its settings were others before.")
        if not stands and _begins_otherwise(campaign, change):
            raise Refused(
                path.name,
                line,
                f"The campaign {campaign.slug} has another history of its settings. Import the "
                "files into a new campaign.",
            )
        _refuse_unknown(path, line, after)
        stands |= after
    if stands:
        _refuse_impossible(path, campaign.slug, stands)


def _refuse_impossible(path: Path, slug: str, settings: Mapping[str, Any]) -> None:
    try:
        Campaign(slug=slug, **_current(settings)).full_clean(validate_unique=False)
    except ValidationError as error:
        if problems := " ".join(_problems(error)):
            message = f"No campaign can have its settings: {problems}"
            raise Refused(path.name, None, message) from None


def _current(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what was a setting and is part of the guidelines' versions now."""
    return {name: value for name, value in settings.items() if name not in MOVED}


def _problems(error: ValidationError) -> list[str]:
    """Return what is wrong, except for pay above this platform's limit: an import pays nothing."""
    by_field = error.error_dict.values() if hasattr(error, "error_dict") else [error.error_list]
    errors = [refusal for field in by_field for refusal in field if refusal.code != "entry_limit"]
    return [message for refusal in errors for message in refusal.messages]


def _begins_otherwise(campaign: Campaign, change: str) -> bool:
    begun = SettingsChange.objects.filter(campaign=campaign, before={}).first()
    if begun is None:
        return campaign.twins.exists()
    return str(begun.public_id) != change


def _refuse_unknown(path: Path, line: int, after: Mapping[str, Any]) -> None:
    unknown = sorted(after.keys() - Campaign().settings.keys() - {*MOVED})
    if unknown:
        raise Refused(path.name, line, f"These settings are unknown: {', '.join(unknown)}.")
    for name, value in _current(after).items():
        try:
            Campaign._meta.get_field(name).clean(value, None)  # type: ignore[union-attr]
        except (ValidationError, TypeError, ValueError) as error:
            if isinstance(error, ValidationError) and not _problems(error):
                continue
            raise Refused(path.name, line, f"The setting {name} cannot be {value!r:.40}.") from None


def follow_settings(cursor: CursorWrapper, campaign: Campaign) -> None:
    """Give a campaign whose whole history is in the file the last settings of it.

    Its name stays: the campaign that was exported may be beside it.
    """
    entries = list(_entries(cursor))
    own = SettingsChange.objects.filter(campaign=campaign)
    if not entries or own.exclude(public_id__in=[change for _, change, _, _ in entries]).exists():
        return
    stands: dict[str, Any] = {}
    for _, _, _, after in entries:
        stands |= after
    stands = _current(stands)
    stands.pop("name", None)
    if Campaign.objects.filter(pk=campaign.pk, people_origin=User.Origin.SIMULATED).exists():
        stands["people_origin"] = User.Origin.SIMULATED  # by the file of people
    Campaign.objects.filter(pk=campaign.pk).update(**stands)


def _entries(cursor: CursorWrapper) -> Iterator[tuple[int, str, dict[str, Any], dict[str, Any]]]:
    cursor.execute(_STAGED)
    for line, change, *values in cursor.fetchall():
        before, after = (json.loads(value) if isinstance(value, str) else value for value in values)
        yield line, change, _object(before), _object(after)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"": value}
