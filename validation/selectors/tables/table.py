"""What an exported table is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from collection.models import Campaign
from winoplatform.exporting.columns import Column


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a campaign, oldest row first; its first column is the id.

    ``changed`` is the condition that a row was created or changed since a time. ``state`` holds
    the tables that the values depend on: each a FROM clause with rows named ``r`` and the
    campaign's key as ``%(campaign)s``.
    """

    rows: Callable[[Campaign], "QuerySet[Any]"]
    columns: Callable[[Campaign], Mapping[str, Column]]
    changed: Callable[[datetime], Q]
    state: tuple[str, ...]
