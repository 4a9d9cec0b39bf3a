"""Who the people of a campaign are."""

from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject

from collection.core.people import Account, People, people_of
from collection.models import Campaign, Study, Twin
from validation.models import Seat
from workers.models import User

IMPORTED: Account = (User.Origin.IMPORTED.value, "")


def with_people(campaigns: "QuerySet[Campaign]", *, until: datetime | None = None) -> Any:
    """Annotate campaigns with what `campaign_people` reads, within the same query.

    Its time depends on the number of accounts, not of questions.
    """
    here = OuterRef("pk")
    wrote, voted = wrote_in(OuterRef(here), until), voted_in(OuterRef(here), until)
    accounts = User.objects.annotate(wrote=wrote, voted=voted).filter(Q(wrote=True) | Q(voted=True))
    row = JSONObject(origin="origin", platform="platform", wrote="wrote", voted="voted")
    studies = Study.objects.filter(campaign=here).order_by("provider")
    return campaigns.annotate(
        people_rows=ArraySubquery(accounts.order_by().values(row=row).distinct()),
        people_imported=Exists(written(here, until).filter(author=None)),
        people_studies=ArraySubquery(studies.values("provider").distinct()),
    )


def campaign_people(campaign: Campaign, *, until: datetime | None = None) -> People:
    """Return who has worked in a campaign *until* a time; before anybody, whom it is made for.

    Accounts tell it where they can, and the campaign's curators state the rest
    (``collection.core.people``). No query if the campaign was read `with_people`.
    """
    known: Any = campaign
    if until is not None or not hasattr(campaign, "people_rows"):
        known = with_people(Campaign.objects.filter(pk=campaign.pk), until=until).get()
    rows = [((row["origin"], row["platform"]), row) for row in known.people_rows]
    if not rows and not known.people_imported:
        return _expected(known)
    imported = [IMPORTED] if known.people_imported else []
    return people_of(
        writers=[account for account, row in rows if row["wrote"]] + imported,
        validators=[account for account, row in rows if row["voted"]],
        chosen=known.people_chosen,
    )


def _expected(campaign: Any) -> People:
    studies = [
        (User.Origin.CROWD.value, Study(provider=provider).platform)
        for provider in campaign.people_studies
    ]
    stated = [campaign.people_chosen] if campaign.people_origin else []
    return people_of(others=studies or stated, chosen=campaign.people_chosen)


def written(campaign: Any, until: datetime | None = None) -> "QuerySet[Twin]":
    """Return the twins of a campaign *until* a time, withdrawn ones too.

    The campaign is a row, or refers to one of an outer query, here and below.
    """
    twins = Twin.objects.filter(campaign=campaign)
    return twins if until is None else twins.filter(created_at__lte=until)


def wrote_in(campaign: Any, until: datetime | None = None) -> Exists:
    """Return the condition that an account has written in a campaign."""
    return Exists(written(campaign, until).filter(author=OuterRef("pk")))


def voted_in(campaign: Any, until: datetime | None = None) -> Exists:
    """Return the condition that an account has voted in a campaign."""
    seats = Seat.objects.filter(worker=OuterRef("pk"), campaign=campaign)
    given = seats.filter(answered_at__isnull=False)
    return Exists(given if until is None else given.filter(answered_at__lte=until))
