"""Where data about people lie outside of the tables, and texts for people about how long."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from winoplatform.personal.declarations import Holding


@dataclass(frozen=True, slots=True)
class Place:
    """Something beside the tables that may hold data about people."""

    name: Any
    what: Any
    why: Any
    kept: Any


PLACES = (
    Place(
        _("logs of the processes"),
        _("the pseudonym of who sent a request, which nobody can resolve after an erasure"),
        _("to find faults"),
        "KEEP_LOGS_DAYS",
    ),
    Place(
        _("logs of the proxy"),
        _("addresses, if it is set to log requests; ours is not"),
        _("to find attacks"),
        "KEEP_LOGS_DAYS",
    ),
    Place(
        _("backups and write-ahead logs of PostgreSQL"),
        _("all that the tables had when they were made"),
        _("to restore the platform"),
        "KEEP_BACKUPS_DAYS",
    ),
    Place(
        _("files of releases"),
        _("sentences and votes under pseudonyms of the release alone"),
        _("what is published stays"),
        _("always"),
    ),
    Place(
        _("files of snapshots, encodings and evaluations"),
        _("sentences with random ids"),
        _("results can be traced"),
        _("as long as the campaign"),
    ),
    Place(
        _("Redis"),
        _("counters of attempts by digests of names and addresses; numbers of rows in messages"),
        _("limits, and work for the workers"),
        _("at most a day"),
    ),
    Place(
        _("files that a person downloaded"),
        _("exports, statements, payouts and the audit log"),
        _("the platform keeps no copy"),
        _("by who downloaded them"),
    ),
)


def how_long(place: Place) -> str:
    """Return how long the operator states that a place keeps data."""
    days = getattr(settings, str(place.kept), None)
    return str(place.kept) if days is None else in_days(int(days))


def in_days(days: int) -> str:
    return ngettext("%d day", "%d days", days) % days


def period_of(holding: Holding) -> str:
    """Return how long rows of a table are kept, with the days that the operator has set."""
    period = holding.period
    if period is None:
        return str(holding.kept)
    if not period.days:
        return str(_("as long as the account or campaign"))
    return f"{in_days(period.days)} {period.after}"
