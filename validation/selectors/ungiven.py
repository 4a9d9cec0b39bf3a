"""Votes that a campaign waits for and that nobody can give."""

from django.db.models import Count, Q

from collection.models import Campaign
from collection.selectors.able_people import able_validators, validators_missing
from validation.models import Seat


def ungiven_votes(campaign: Campaign) -> int:
    """Return how many of the votes wanted no able validator can give, over all twins.

    Of a twin, those can vote who did not write it and have not voted on either of its questions.
    Zero while a study brings validators, and with enough people: then no twin is looked at.
    """
    if not validators_missing([campaign])[campaign.pk]:
        return 0
    able = set(able_validators(campaign).values_list("pk", flat=True))
    seats = Seat.objects.filter(campaign=campaign, gold=None).order_by()
    given = seats.filter(answered_at__isnull=False, worker__in=able)
    wanted = seats.values_list("twin", "author").annotate(
        wanted=Count("pk", filter=Q(answered_at=None))
    )
    voters = dict(given.values_list("twin").annotate(Count("worker", distinct=True)))
    return sum(
        max(0, n - (len(able) - (author in able) - voters.get(twin, 0)))
        for twin, author, n in wanted.filter(wanted__gt=0)
    )
