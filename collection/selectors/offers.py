"""Which campaigns a worker is offered."""

from datetime import datetime

from django.db.models import OuterRef, Q

from collection.models import Campaign
from collection.models.campaigns import CampaignQuerySet
from workers.models import User
from workers.models.promised_pay import is_held


def offered_to(campaigns: CampaignQuerySet, worker: User, *, now: datetime) -> CampaignQuerySet:
    """Leave out campaigns that the worker cannot see, and simulated ones while another is open.

    One of simulated people in which the worker holds work stays.
    """
    campaigns = campaigns.visible_to(worker)
    offered = Campaign.objects.offered().order_by()
    return campaigns.filter(Q(pk__in=offered.values("pk")) | is_held(worker, OuterRef("pk"), now))
