"""Who the people of a campaign are."""

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from collection.core.people import People, people_of
from collection.models import Campaign, Twin
from validation.models import Seat
from workers.models import User

IMPORTED = (User.Origin.IMPORTED.value, "")


def campaign_people(campaign: Campaign, *, until: datetime | None = None) -> People:
    """Return who has worked in a campaign *until* a time; before anybody, whom it is made for.

    Accounts tell it where they can, and the campaign's curators state the rest
    (``collection.core.people``). Three queries at most, whose time depends on the number of
    accounts, not of questions.
    """
    wrote, voted = wrote_in(campaign, until), voted_in(campaign, until)
    accounts = User.objects.annotate(wrote=wrote, voted=voted)
    rows = accounts.values_list("origin", "platform", "wrote", "voted").order_by().distinct()
    found = [row for row in rows if row[2] or row[3]]
    imported = written(campaign, until).filter(author=None).exists()
    writers = [(origin, platform) for origin, platform, wrote, _ in found if wrote]
    validators = [(origin, platform) for origin, platform, _, voted in found if voted]
    if not found and not imported:
        return _expected(campaign)
    return people_of(
        writers=[*writers, *([IMPORTED] if imported else [])],
        validators=validators,
        chosen=campaign.people_chosen,
    )


def _expected(campaign: Campaign) -> People:
    studies = [(User.Origin.CROWD.value, study.platform) for study in campaign.studies.all()]
    stated = [campaign.people_chosen] if campaign.people_origin else []
    return people_of(others=studies or stated, chosen=campaign.people_chosen)


def written(campaign: Campaign, until: datetime | None = None) -> "QuerySet[Twin]":
    """Return the twins of a campaign *until* a time, withdrawn ones too."""
    twins = Twin.objects.filter(campaign=campaign)
    return twins if until is None else twins.filter(created_at__lte=until)


def wrote_in(campaign: Campaign, until: datetime | None = None) -> Exists:
    """Return the condition that an account has written in a campaign."""
    return Exists(written(campaign, until).filter(author=OuterRef("pk")))


def voted_in(campaign: Campaign, until: datetime | None = None) -> Exists:
    """Return the condition that an account has voted in a campaign."""
    seats = Seat.objects.filter(worker=OuterRef("pk"), campaign=campaign)
    given = seats.filter(answered_at__isnull=False)
    return Exists(given if until is None else given.filter(answered_at__lte=until))
