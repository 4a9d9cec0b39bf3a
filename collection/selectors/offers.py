"""Which campaigns a worker is offered."""

from datetime import datetime

from django.db.models import Q

from collection.models import Assignment, Campaign
from collection.models.campaigns import CampaignQuerySet
from collection.signals import held_campaigns_wanted
from workers.models import User


def offered_to(campaigns: CampaignQuerySet, worker: User, *, now: datetime) -> CampaignQuerySet:
    """Leave out campaigns that the worker cannot see, and simulated ones while another is open.

    One of simulated people in which the worker holds an article or a question stays.
    """
    campaigns = campaigns.visible_to(worker)
    offered = Campaign.objects.offered().order_by()
    return campaigns.filter(Q(pk__in=offered.values("pk")) | held_by(worker, now=now))


def held_by(worker: User, *, now: datetime) -> Q:
    """Return the condition that a worker holds an article or a question of a campaign."""
    articles = Assignment.objects.filter(worker=worker).held(now=now)
    held = Q(pk__in=articles.values("campaign"))
    answers = held_campaigns_wanted.send(sender=Campaign, worker=worker, now=now)
    for _receiver, campaigns in answers:
        held |= Q(pk__in=campaigns)
    return held
