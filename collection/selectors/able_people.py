"""How many people can validate in a campaign, and how many are missing.

Nobody validates both questions of a twin or their own twin. So a pair needs twice as many
validators as a question needs votes, besides its writer.
"""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import OuterRef, QuerySet

from collection.models import Campaign, Consent, Membership, Study
from collection.selectors.consents import is_withdrawn
from workers.models import Pause, Qualification, User

VALIDATE = Qualification.Skill.VALIDATE


def validators_needed(campaign: Campaign) -> int:
    """Return how many validators a pair needs besides its writer."""
    return 2 * campaign.votes_per_question


def able_validators(campaign: Campaign) -> "QuerySet[User]":
    """Return the workers who can come and validate: no simulated or imported ones, none paused.

    Nor those who have failed or withdrawn their consent, and of a campaign for invited people only
    those. Participants of studies come by their links and are not in it.
    """
    people = _people().exclude(pk__in=_out_of_reach([campaign])[campaign.pk])
    if campaign.is_by_invitation:
        people = people.filter(pk__in=_members([campaign])[campaign.pk])
    return people


def validators_missing(campaigns: Collection[Campaign]) -> dict[int, int]:
    """Return by campaign how many validators a pair lacks, if its writer is one of the workers.

    Zero while a study of a crowd platform brings validators.
    """
    recruiting = set(
        Study.objects.filter(skill=VALIDATE, is_open=True).values_list("campaign", flat=True)
    )
    n_people, gone = _people().count(), _out_of_reach(campaigns)
    invited = _members([campaign for campaign in campaigns if campaign.is_by_invitation])
    able = {
        campaign.pk: len(invited[campaign.pk] - gone[campaign.pk])
        if campaign.is_by_invitation
        else n_people - len(gone[campaign.pk])
        for campaign in campaigns
    }
    return {
        campaign.pk: 0 if campaign.pk in recruiting else _missing(campaign, able[campaign.pk])
        for campaign in campaigns
    }


def _out_of_reach(campaigns: Collection[Campaign]) -> dict[int, set[int]]:
    """Return by campaign which of the people have failed there or withdrawn their consent."""
    keys = {campaign.public_id: campaign.pk for campaign in campaigns}
    failed = Qualification.objects.filter(
        scope__in=keys, skill=VALIDATE, status=Qualification.Status.FAILED, worker__in=_people()
    )
    consents = Consent.objects.filter(guideline__campaign__in=campaigns, worker__in=_people())
    withdrawn = consents.filter(is_withdrawn(OuterRef("worker"), OuterRef("guideline__campaign")))
    rows = failed.order_by().values_list("scope", "worker")
    rows = rows.union(withdrawn.order_by().values_list("guideline__campaign__public_id", "worker"))
    people: defaultdict[int, set[int]] = defaultdict(set)
    for campaign, person in rows:
        people[keys[campaign]].add(person)
    return people


def _members(campaigns: Collection[Campaign]) -> dict[int, set[int]]:
    """Return by campaign which of the people see it although it is for invited people only."""
    people: defaultdict[int, set[int]] = defaultdict(set)
    if campaigns:
        members = Membership.objects.filter(campaign__in=campaigns, user__in=_people())
        consents = Consent.objects.filter(guideline__campaign__in=campaigns, worker__in=_people())
        joined = consents.order_by().values_list("guideline__campaign", "worker")
        for campaign, person in members.order_by().values_list("campaign", "user").union(joined):
            people[campaign].add(person)
    return people


def _missing(campaign: Campaign, n_able: int) -> int:
    return max(0, validators_needed(campaign) - max(0, n_able - 1))


def _people() -> "QuerySet[User]":
    elsewhere = (User.Origin.SIMULATED, User.Origin.IMPORTED, User.Origin.CROWD)
    people = User.objects.filter(role=User.Role.WORKER, is_active=True).order_by()
    paused = Pause.objects.open().values("worker")
    return people.exclude(origin__in=elsewhere).exclude(pk__in=paused)
