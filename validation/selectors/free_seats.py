"""Free seats, usual waits for them, and votes that nobody can give."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Twin
from collection.selectors.able_people import able_validators, validators_missing
from validation.models import Seat, SeatQuerySet
from workers.models import User

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


def ungiven_votes(campaign: Campaign) -> int:
    """Return how many of the votes wanted no able validator can give, over all twins.

    Of a twin, those can vote who did not write it and have not voted on either of its questions.
    Zero while a study brings validators, and with enough people: then no twin is looked at.
    """
    if not validators_missing([campaign])[campaign.pk]:
        return 0
    able = set(able_validators(campaign).values_list("pk", flat=True))
    seats = Seat.objects.filter(campaign=campaign, gold=None).order_by()
    answered = seats.filter(answered_at__isnull=False, worker__in=able)
    wanted = seats.values_list("twin", "author").annotate(
        wanted=Count("pk", filter=Q(answered_at=None))
    )
    voters = dict(answered.values_list("twin").annotate(Count("worker", distinct=True)))
    return sum(
        max(0, n - (len(able) - (author in able) - voters.get(twin, 0)))
        for twin, author, n in wanted.filter(wanted__gt=0)
    )


HEAD_LOOKED_AT, SEATS_LOOKED_AT = 200, 600


def furthest_validated(*, worker: User, campaign: Campaign) -> int:
    """Return the last place in the queue that *worker* has validated; 0 for none."""
    seats = Seat.objects.in_campaign(campaign).filter(worker=worker, answered_at__isnull=False)
    seats = seats.numbered()  # a gold question has the place of another one
    return seats.order_by("-place").values_list("place", flat=True).first() or 0


def first_free(*, worker: User, campaign: Campaign, now: datetime) -> int | None:
    """Return the place of the seat that *worker* would be given now; None if no seat is free.

    Looks where a claim does. Of a seat that is neither at the head nor close behind the worker's
    furthest question, the place returned is only a lower bound.
    """
    free = Seat.objects.free(now=now).in_campaign(campaign).open_to(worker)
    furthest = furthest_validated(worker=worker, campaign=campaign)
    waiting = Seat.objects.in_campaign(campaign).numbered().waiting().in_order()
    beyond = waiting.filter(place__gt=furthest)
    # A few first: of a long queue the database may join and sort all before it takes one.
    for near in (waiting[:HEAD_LOOKED_AT], beyond[:SEATS_LOOKED_AT]):
        places = free.filter(pk__in=near.values("pk")).in_order().values_list("place", flat=True)
        if (place := places.first()) is not None:
            return place
    if free.filter(place__gt=furthest).exists():
        return furthest + 1
    return 0 if free.exists() else None


LAST_PLACE = 2**63 - 1
SENTENCES = {
    "all_validated": _(
        "Every question has its votes. New questions appear when writers submit twins."
    ),
    "yours_or_validated": _(
        "The remaining questions are for other validators: you wrote them, or you have "
        "validated or skipped them or their twins."
    ),
    "all_leased": _("Other validators are working on all remaining questions."),
}


@dataclass(frozen=True, slots=True)
class EmptyQueue:
    """Why a validator gets no seat now, as a code of ``SENTENCES``, and when to try again.

    No count of questions: it decreases with every claim but those of gold, and would reveal them.
    """

    reason: str
    again_at: datetime | None = None

    @property
    def message(self) -> str:
        return str(SENTENCES[self.reason])


def why_empty(*, worker: User, campaign: Campaign, now: datetime) -> EmptyQueue:
    """Return why no seat is free for *worker*; fast for any length of the queue."""
    # Held seats are few. A seat whose claim is not committed yet still looks free here.
    held = Seat.objects.in_campaign(campaign).numbered().held(now=now).open_to(worker)
    first = held.aggregate(first=Min("leased_until"))["first"]
    if first is None:
        here = Campaign.objects.filter(pk=campaign.pk)
        empty = empty_queues(worker=worker, campaigns=here, now=now).get(campaign.pk)
        if empty is not None:
            return empty
    return EmptyQueue("all_leased", first)


def empty_queues(
    *, worker: User, campaigns: QuerySet[Campaign], now: datetime
) -> dict[int, EmptyQueue]:
    """Return why there is no question for *worker*, for those of *campaigns* that have none.

    Looks where a claim does, at the head and then behind the validator's furthest question, and at
    most at ``SEATS_LOOKED_AT`` seats each: more would be slow for workers with many votes.
    """
    seats = Seat.objects.in_campaign(OuterRef("pk")).waiting().numbered().in_order()
    line = seats.values("place")
    validated = Seat.objects.filter(
        campaign=OuterRef("pk"), worker=worker, answered_at__isnull=False
    ).numbered()
    beyond = line.filter(place__gt=OuterRef("furthest"))
    ends = campaigns.annotate(
        head_end=Coalesce(Subquery(line[SEATS_LOOKED_AT : SEATS_LOOKED_AT + 1]), LAST_PLACE),
        furthest=Subquery(validated.order_by("-place").values("place")[:1]),
    ).annotate(
        tail_end=Coalesce(Subquery(beyond[SEATS_LOOKED_AT : SEATS_LOOKED_AT + 1]), LAST_PLACE)
    )
    head = seats.filter(place__lte=OuterRef("head_end"))
    tail = seats.filter(place__gt=OuterRef("furthest"), place__lte=OuterRef("tail_end"))
    rows = ends.annotate(
        free=Coalesce(_first_free(head, worker, now), _first_free(tail, worker, now)),
        others=Coalesce(_first_held(head, worker, now), _first_held(tail, worker, now)),
        some=Exists(seats),
    )
    return {
        pk: EmptyQueue(
            "all_leased" if others else "yours_or_validated" if some else "all_validated"
        )
        for pk, free, others, some in rows.values_list("pk", "free", "others", "some")
        if free is None
    }


def _first_free(seats: SeatQuerySet, worker: User, now: datetime) -> Subquery:
    free = seats.free(now=now)
    # A worker whose lease ended before the sentence was revealed may claim the seat again.
    return _first(free.open_to(worker) | free.filter(worker=worker, local_at=None))


def _first_held(seats: SeatQuerySet, worker: User, now: datetime) -> Subquery:
    return _first(seats.held(now=now).open_to(worker))


def _first(seats: SeatQuerySet) -> Subquery:
    return Subquery(seats.values("pk")[:1])


def twins_with_open_seats(twins: Collection[int], *, now: datetime) -> set[int]:
    """Return which of *twins*, by primary key, have a question that can still get a vote."""
    waiting = Seat.objects.numbered().filter(answered_at=None, twin__in=twins)
    # A closed campaign hands out no seats, but holders of a seat may still vote.
    claimable = ~Q(campaign__status=Campaign.Status.CLOSED)
    seats = waiting.filter(claimable | Q(worker__isnull=False, leased_until__gt=now))
    return set(seats.values_list("twin", flat=True))
