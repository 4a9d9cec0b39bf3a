"""Objects by what their address names, or a 404."""

import uuid
from typing import Any

from django.db.models import Count, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from collection.models import Campaign, refuse_role
from collection.models.members import rights_by_campaign, rights_of
from collection.selectors.known_people import Names, names_for
from collection.services import note_access
from corpora.models import ReferenceSet, Snapshot
from filtering.models import FilterRun
from frontend.http import PageRequest, existing
from validation.selectors import with_people
from workers.models import User


def campaign_for(user: User, slug: str, **counts: Count) -> Campaign:
    """Return a campaign that *user* can see, annotated with *counts*, or raise a 404."""
    campaigns: Any = Campaign.objects.visible_to(user).annotate(**counts)
    if user.is_curator:  # whose pages say who its people are
        campaigns = with_people(campaigns)
    campaign: Campaign | None = campaigns.filter(slug=slug).first()
    if campaign is None:
        refuse_role(user, Campaign.objects.filter(slug=slug))
        raise Http404(_("There is no such campaign."))
    note_access(user, campaign)
    return campaign


def find_snapshot(user: User, public_id: uuid.UUID) -> Snapshot:
    rows = Snapshot.objects.visible_to(user).select_related("campaign")
    snapshot = existing(rows, _("There is no such snapshot."), public_id=public_id)
    note_access(user, snapshot.campaign)
    return snapshot


def find_filter_run(user: User, public_id: uuid.UUID) -> FilterRun:
    runs = FilterRun.objects.visible_to(user).select_related(
        "encoding__snapshot__campaign", "encoding__tuning", "reference", "selection"
    )
    run = existing(runs, _("There is no such filter run."), public_id=public_id)
    note_access(user, run.encoding.snapshot.campaign)
    return run


def find_set(user: User, name: str) -> ReferenceSet:
    """Return a set that the user may see, with its splits."""
    return existing(with_splits(user), _("There is no such reference set."), name=name)


def with_splits(user: User) -> "QuerySet[ReferenceSet]":
    """Return the sets that the user may see, to be read with their splits."""
    rows = ReferenceSet.objects.visible_to(user).select_related("created_by")
    return rows.prefetch_related("splits__items")


def rights_here(request: PageRequest, campaign: Campaign) -> frozenset[str]:
    """Return what the user may do in a campaign, read once for a page."""
    if not hasattr(request, "rights_by_campaign"):
        request.rights_by_campaign = rights_by_campaign(request.user)  # type: ignore[attr-defined]
    return rights_of(request.rights_by_campaign, campaign)  # type: ignore[attr-defined]


def people_names(request: Any) -> Names:
    """Return what the reader may read beside pseudonyms; read once per request."""
    names: Names | None = getattr(request, "people_names", None)
    if names is None:
        names = request.people_names = names_for(request.user)
    return names
