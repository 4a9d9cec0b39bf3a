"""What a worker can answer, and why there is nothing."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from collection.selectors.joining import unblocked
from panels.models import Enrolment, Panel, PanelSeat
from workers.models import Qualification, User
from workers.models.promised_pay import NOTHING

Status = Panel.Status
SENTENCES = {
    "all_answered": _("Every question has its votes. Thank you."),
    "answered_by_you": _("You have answered every question. Thank you."),
    "known_to_you": _(
        "The remaining questions are for other people: you wrote, validated, saw or answered them "
        "or their twins."
    ),
    "all_leased": _("Other people are working on all remaining questions."),
}


def offered_to(worker: User, *, now: datetime) -> "QuerySet[Panel]":
    """Return the panels in which *worker* holds a seat, or could claim or enrol for one now.

    ``n_given`` has the number of their answers.
    """
    seats = PanelSeat.objects.filter(panel=OuterRef("pk"))
    free = Q(Exists(seats.free(now=now).open_to(worker)), mode=Panel.Mode.QUEUE)
    mine = seats.held(now=now).filter(worker=worker)
    answered = seats.done().filter(worker=worker).order_by().values("panel")
    rows = Panel.objects.select_related("campaign").annotate(
        n_given=Coalesce(Subquery(answered.annotate(n=Count("pk")).values("n")), 0)
    )
    open_here = Q(status=Status.OPEN, campaign__in=_campaigns_for(worker))
    return rows.filter(open_here & (free | _enrolments_for(worker)) | Q(Exists(mine)))


def _campaigns_for(worker: User) -> "QuerySet[Campaign]":
    offered = Campaign.objects.visible_to(worker).without_simulated()
    campaigns = unblocked(worker, Qualification.Skill.VALIDATE, offered)
    return campaigns.filter(status__in=[Campaign.Status.OPEN, Campaign.Status.CLOSED])


def _enrolments_for(worker: User) -> Q:
    """Return the condition that a worker can enrol in a panel, or go on in it."""
    seats = PanelSeat.objects.filter(panel=OuterRef("pk"))
    enrolments = Enrolment.objects.filter(panel=OuterRef("pk"))
    written = seats.filter(Q(author=worker) | Q(other_author=worker))
    left = seats.waiting().filter(spare=False).of_enrolment(worker)
    was = enrolments.filter(worker=worker)
    could = Q(Exists(enrolments.free())) & ~Q(Exists(was)) & ~Q(Exists(written))
    return Q(mode=Panel.Mode.ENROLMENTS) & (could | Q(Exists(left)))


def held_seat(worker: User, panel: Panel, *, now: datetime) -> PanelSeat | None:
    """Return the seat that *worker* holds, unless they have validated its twin since the claim."""
    held = PanelSeat.objects.held(now=now).filter(worker=worker, panel=panel)
    return held.unknown_to(worker).select_related("item", "panel__campaign").first()


def enrolment_of(worker: User, panel: Panel) -> Enrolment | None:
    """Return the active enrolment of *worker*; None if there is none."""
    return Enrolment.objects.active().filter(worker=worker, panel=panel).first()


@dataclass(frozen=True, slots=True)
class NothingLeft:
    """Why a worker gets no seat now, as a code of ``SENTENCES``, and when to try again."""

    reason: str
    again_at: datetime | None = None

    @property
    def message(self) -> str:
        return str(SENTENCES[self.reason])


def why_nothing_left(worker: User, panel: Panel, *, now: datetime) -> NothingLeft | None:
    """Return why there is no seat for *worker*; None if there is one."""
    seats = PanelSeat.objects.waiting().filter(panel=panel, spare=False)
    if not panel.is_queue:
        seats = seats.of_enrolment(worker)
    theirs = seats.open_to(worker)
    if theirs.free(now=now).exists():
        return None
    first = theirs.held(now=now).aggregate(first=Min("leased_until"))["first"]
    if first is not None:
        return NothingLeft("all_leased", first)
    if seats.exists():
        return NothingLeft("known_to_you")
    return NothingLeft("all_answered" if panel.is_queue else "answered_by_you")


def most_answers(panel: Panel) -> int:
    """Return how many items one person can answer: in a queue, one of each group."""
    return _n_groups(panel.pk) if panel.is_queue else panel.n_items


@lru_cache(maxsize=256)
def _n_groups(panel: int) -> int:
    """Count the groups of a panel; once, as its items never change."""
    seats = PanelSeat.objects.filter(panel=panel).order_by()
    return seats.aggregate(n=Count("group_key", distinct=True))["n"]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Earned:
    """How many answers a worker has given in a panel, and what they pay."""

    n_answers: int
    amount: Decimal


def earned_by(worker: User, panel: Panel) -> Earned:
    """Count the answers of *worker*, and sum their pay."""
    mine = PanelSeat.objects.done().filter(worker=worker, panel=panel)
    earned = mine.aggregate(n=Count("pk"), sum=Sum("reward"))
    return Earned(earned["n"], earned["sum"] or NOTHING)
