"""How many people can validate in a campaign, and how many are missing.

Nobody validates both questions of a twin or their own twin. So a pair needs twice as many
validators as a question needs votes, besides its writer.
"""

from collections.abc import Collection

from django.db.models import Count, QuerySet

from collection.models import Campaign, Study
from workers.models import Pause, Qualification, User

VALIDATE = Qualification.Skill.VALIDATE


def validators_needed(campaign: Campaign) -> int:
    """Return how many validators a pair needs besides its writer."""
    return 2 * campaign.votes_per_question


def able_validators(campaign: Campaign) -> "QuerySet[User]":
    """Return the workers who can come and validate: no simulated or imported ones, none paused.

    Participants of studies come by their links and are not in it.
    """
    failed = Qualification.objects.filter(
        scope=campaign.public_id, skill=VALIDATE, status=Qualification.Status.FAILED
    )
    return _people().exclude(pk__in=failed.values("worker"))


def validators_missing(campaigns: Collection[Campaign]) -> dict[int, int]:
    """Return by campaign how many validators a pair lacks, if its writer is one of the workers.

    Zero while a study of a crowd platform brings validators.
    """
    recruiting = set(
        Study.objects.filter(skill=VALIDATE, is_open=True).values_list("campaign", flat=True)
    )
    n_people = _people().count()
    failed = Qualification.objects.filter(skill=VALIDATE, status=Qualification.Status.FAILED)
    rows = failed.filter(worker__in=_people()).order_by().values_list("scope")
    n_failed = dict(rows.annotate(Count("pk")))
    return {
        campaign.pk: 0
        if campaign.pk in recruiting
        else _missing(campaign, n_people - n_failed.get(campaign.public_id, 0))
        for campaign in campaigns
    }


def _missing(campaign: Campaign, n_able: int) -> int:
    return max(0, validators_needed(campaign) - max(0, n_able - 1))


def _people() -> "QuerySet[User]":
    elsewhere = (User.Origin.SIMULATED, User.Origin.IMPORTED, User.Origin.CROWD)
    people = User.objects.filter(role=User.Role.WORKER, is_active=True).order_by()
    paused = Pause.objects.open().values("worker")
    return people.exclude(origin__in=elsewhere).exclude(pk__in=paused)
