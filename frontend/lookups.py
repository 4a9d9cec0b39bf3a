"""Objects by what their address names, or a 404."""

import uuid
from typing import Any

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from collection.models import Campaign
from corpora.models import ReferenceSet, Snapshot
from filtering.models import FilterRun
from frontend.http import existing
from validation.selectors import with_people
from workers.models import User


def campaign_for(user: User, slug: str, **counts: Count) -> Campaign:
    """Return a campaign that *user* can see, annotated with *counts*, or raise a 404."""
    campaigns: Any = Campaign.objects.visible_to(user).annotate(**counts)
    if user.is_curator:  # whose pages say who its people are
        campaigns = with_people(campaigns)
    return existing(campaigns, _("There is no such campaign."), slug=slug)


def find_snapshot(public_id: uuid.UUID) -> Snapshot:
    return existing(
        Snapshot.objects.select_related("campaign"),
        _("There is no such snapshot."),
        public_id=public_id,
    )


def find_filter_run(public_id: uuid.UUID) -> FilterRun:
    runs = FilterRun.objects.select_related(
        "encoding__snapshot__campaign", "encoding__tuning", "reference", "selection"
    )
    return existing(runs, _("There is no such filter run."), public_id=public_id)


def find_set(user: User, name: str) -> ReferenceSet:
    """Return a set that the user may see, with its splits."""
    return existing(with_splits(user), _("There is no such reference set."), name=name)


def with_splits(user: User) -> "QuerySet[ReferenceSet]":
    """Return the sets that the user may see, to be read with their splits."""
    rows = ReferenceSet.objects.visible_to(user).select_related("created_by")
    return rows.prefetch_related("splits__items")
