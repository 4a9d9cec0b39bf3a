"""The history of a campaign's settings: the first row has all of them."""

from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from collection.models import Campaign, SettingsChange
from validation.selectors.tables.table import Table
from winoplatform.exporting.columns import Column, Kind

_COLUMNS = {
    "change": Column(F("public_id")),
    "by": Column(F("by__public_id"), nullable=True),
    "before": Column(F("before"), Kind.JSON),
    "after": Column(F("after"), Kind.JSON),
    "created_at": Column(F("created_at"), Kind.TIME),
}
COLUMNS = tuple(_COLUMNS)


def _rows(campaign: Campaign) -> "QuerySet[Any]":
    return SettingsChange.objects.filter(campaign=campaign).order_by("pk")


def _changed(since: datetime) -> Q:
    return Q(created_at__gte=since)


SETTINGS = Table(
    rows=_rows,
    columns=lambda campaign: _COLUMNS,
    changed=_changed,
    state=("collection_settingschange r WHERE r.campaign_id = %(campaign)s",),
)
