"""What a worker has done and earned: totals, today, and the lines of the statement."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from urllib.parse import urlencode

from django.db.models import CharField, Count, OuterRef, Subquery, Sum
from django.db.models.functions import Cast, Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Campaign, Twin
from collection.selectors.pay import HourlyRate, hourly_rates
from validation.core.validator_figures import ENOUGH
from validation.models import Seat, Vote
from winoplatform.ids import as_uuid
from workers.models import LedgerEntry, Qualification, User

Kind = LedgerEntry.Kind


@dataclass(frozen=True, slots=True)
class PayLine:
    """An entry, what it is for, the page of that, and the reason of an adjustment.

    Control questions look like all others: the same words and the same kind of link.
    """

    entry: LedgerEntry
    about: str = ""
    link: str = ""
    why: str = ""


def pay_lines(entries: Sequence[LedgerEntry]) -> list[PayLine]:
    """Describe a worker's entries, in four queries at most."""
    units = {unit for entry in entries if (unit := as_uuid(entry.unit)) is not None}
    twins = {
        str(twin.public_id): twin
        for twin in Twin.objects.filter(public_id__in=units).select_related("revised_by")
    }
    votes = {
        str(vote.public_id): vote
        for vote in Vote.objects.filter(public_id__in=units).select_related("question")
    }
    exercises = _exercises(entries, units)
    return [_line(entry, twins, votes, exercises) for entry in entries]


def _line(
    entry: LedgerEntry,
    twins: Mapping[str, Twin],
    votes: Mapping[str, Vote],
    exercises: Mapping[str, str],
) -> PayLine:
    if twin := twins.get(entry.unit):
        link = reverse("receipt", args=[twin.public_id])
        return PayLine(entry, f"{twin.option1} / {twin.option2}", link, _why(entry, twin))
    if vote := votes.get(entry.unit):
        query = urlencode({"question": entry.unit})
        link = f"{reverse('my-work')}?{query}#votes"
        return PayLine(entry, vote.question.sentence, link)
    return PayLine(entry, link=exercises.get(entry.unit, ""))


def _why(entry: LedgerEntry, twin: Twin) -> str:
    """Return why pay of a twin was taken back, where its entry has no note that says so."""
    if entry.kind != Kind.ADJUSTMENT or entry.note:
        return ""
    if hasattr(twin, "revised_by"):
        return _("You revised this text; the new one is paid instead.")
    return _("You withdrew this twin.") if twin.withdrawn_at else ""


def _exercises(entries: Iterable[LedgerEntry], units: Iterable[uuid.UUID]) -> dict[str, str]:
    """Return the page of the training or test that entries pay, by unit."""
    if not any(entry.kind == Kind.TRAINING for entry in entries):
        return {}
    mine = list(Qualification.objects.filter(public_id__in=units))
    scopes = {each.scope for each in mine}
    slugs = dict(Campaign.objects.filter(public_id__in=scopes).values_list("public_id", "slug"))
    pages = {"write": "join", "validate": "join-validate"}
    own = [each for each in mine if each.scope in slugs and each.skill in pages]
    return {
        str(each.public_id): reverse(pages[each.skill], args=[slugs[each.scope]]) for each in own
    }


@dataclass(frozen=True, slots=True)
class Money:
    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Totals:
    """A worker's completed work and pay."""

    twins: int
    votes: int
    pay: tuple[Money, ...]
    rates: tuple[HourlyRate, ...]
    """Over ``ENOUGH`` twins at least: a few say little about an hour."""


def totals(user: User) -> Totals:
    """Count a worker's twins and votes, and sum the ledger by currency."""
    sums = LedgerEntry.objects.filter(worker=user).order_by("currency")
    pay = sums.values_list("currency").annotate(Sum("amount"))
    twins, votes = _counts(user)
    return Totals(
        twins=twins,
        votes=votes,
        pay=tuple(Money(amount, currency) for currency, amount in pay),
        rates=tuple(rate for rate in hourly_rates(user) if rate.twins >= ENOUGH),
    )


def _counts(user: User) -> tuple[int, int]:
    """Count a worker's twins and votes, in one query."""
    twins = Twin.objects.active().filter(author=OuterRef("pk")).order_by().values("author")
    votes = Vote.objects.filter(worker=OuterRef("pk")).order_by().values("worker")
    counted = (Subquery(rows.annotate(n=Count("pk")).values("n")) for rows in (twins, votes))
    [(n_twins, n_votes)] = User.objects.filter(pk=user.pk).values_list(*counted)
    return n_twins or 0, n_votes or 0


@dataclass(frozen=True, slots=True)
class Today:
    """How much a worker has done since midnight, in the reader's zone, and its pay."""

    count: int
    pay: Decimal


def validated_today(user: User, campaign: Campaign, now: datetime) -> Today:
    """Count a validator's votes of today; gold questions count too."""
    mine = Seat.objects.filter(worker=user, campaign=campaign, answered_at__gte=midnight(now))
    row = mine.aggregate(count=Count("pk"), pay=Sum(Coalesce("reward", campaign.reward_vote)))
    return Today(row["count"], row["pay"] or Decimal(0))


def written_today(user: User, campaign: Campaign, now: datetime) -> Today:
    """Count a writer's twins of today that stand, with their pay as the ledger has it."""
    mine = Twin.objects.active().filter(
        author=user, campaign=campaign, created_at__gte=midnight(now)
    )
    units = mine.order_by().annotate(unit=Cast("public_id", CharField())).values("unit")
    paid = LedgerEntry.objects.filter(worker=user, kind=LedgerEntry.Kind.TWIN, unit__in=units)
    return Today(mine.count(), paid.total())


def midnight(now: datetime) -> datetime:
    """Return the beginning of the reader's day."""
    return timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
