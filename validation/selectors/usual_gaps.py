"""How often new questions came on past days, for validators who wait."""

from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from django.utils import timezone

from collection.models import Campaign, Twin

DAYS, LATEST, FEWEST = 14, 500, 10


def usual_gap(campaign: Campaign, now: datetime) -> float | None:
    """Return the median seconds between new twins of a campaign on past days; None for few.

    It reads only twins that were submitted before today, of the last ``DAYS`` days, and no queue:
    what waits now would fall with each vote but those on control questions (decision 0032). Gaps
    over a night do not count.
    """
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    past = Twin.objects.filter(campaign=campaign, created_at__lt=today)
    past = past.filter(created_at__gte=today - timedelta(days=DAYS)).order_by("-created_at")
    times = list(past.values_list("created_at", flat=True)[:LATEST])
    gaps = [
        (later - earlier).total_seconds()
        for later, earlier in pairwise(times)
        if timezone.localdate(later) == timezone.localdate(earlier)
    ]
    return median(gaps) if len(gaps) >= FEWEST else None
