"""Data of the pay pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db.models import Count, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.core.costs import Rates
from collection.models import Campaign, CrowdSession, Study
from collection.selectors.pay import credited, entries_for
from collection.services.campaigns import budget
from frontend.sums import ZERO, Cell, SumRow
from validation.models import GoldQuestion
from workers.models import LedgerEntry, Payout, User
from workers.models.ledger import LedgerQuerySet
from workers.selectors import Balance, ledger_sums
from workers.services.payouts import approved_sums, waiting_sums

Kind, State = LedgerEntry.Kind, LedgerEntry.State
MOST_WAITING = 50


def sums_by_kind(campaign: Campaign, reader: User) -> list[SumRow]:
    """Sum a campaign's entries by kind and state; kinds without entries are omitted."""
    entries = LedgerEntry.objects.filter(budget=campaign.public_id, currency=campaign.currency)
    sums = {(row["kind"], row["state"]): row for row in ledger_sums(entries, reader=reader)}
    return [
        SumRow(
            str(kind.label), tuple(_cell(sums.get((kind.value, state.value))) for state in State)
        )
        for kind in Kind
        if any(other == kind for other, _state in sums)
    ]


def _cell(row: dict[str, Any] | None) -> Cell:
    return Cell(row["count"], row["sum"]) if row else Cell(0, ZERO)


def rates_for_preview(campaign: Campaign) -> Rates:
    """Return a campaign's rates; without gold questions if none of its gold questions is in use."""
    rates = budget.rates_of(campaign)
    golds = GoldQuestion.objects.filter(campaign=campaign)
    if not rates.gold_share or golds.in_use().exists() or not golds.exists():
        return rates
    return replace(rates, gold_share=ZERO)


@dataclass(frozen=True, slots=True)
class WayOfPaying:
    """Approved pay that one provider can pay now.

    *behind* counts workers with a negative sum, *waiting* those with a deduction that is not
    approved yet.
    """

    provider: str
    words: str
    workers: int
    sum: Decimal
    behind: Cell
    waiting: Cell


def ways_of_paying(campaign: Campaign) -> list[WayOfPaying]:
    """Return what can be paid now through each provider that the campaign uses."""
    studies = set(Study.objects.filter(campaign=campaign).values_list("provider", flat=True))
    now, ways = timezone.now(), []
    for provider in Payout.Provider:
        own = provider in (Payout.Provider.PROLIFIC, Payout.Provider.MTURK)
        if (own and provider.value not in studies) or (
            provider == Payout.Provider.PLATFORM and not studies
        ):
            continue
        # Without studies, no entries are credited to a session, so none are excluded.
        entries = (
            entries_for(campaign, provider, now)
            if studies
            else LedgerEntry.objects.filter(budget=campaign.public_id)
        )
        sums = approved_sums(entries, campaign.public_id, campaign.currency)
        waiting = waiting_sums(entries, campaign.public_id, campaign.currency)
        ways.append(_way(provider, sums, waiting))
    return ways


def _way(
    provider: Payout.Provider, sums: Sequence[Decimal], waiting: Sequence[Decimal]
) -> WayOfPaying:
    owed = [amount for amount in sums if amount > 0]
    behind = [amount for amount in sums if amount < 0]
    return WayOfPaying(
        provider=provider.value,
        words=str(provider.label),
        workers=len(owed),
        sum=sum(owed, ZERO),
        behind=Cell(len(behind), sum(behind, ZERO)),
        waiting=Cell(len(waiting), sum(waiting, ZERO)),
    )


def waiting_for_sessions(campaign: Campaign) -> Cell:
    """Approved pay that cannot be paid yet, because its crowd session has not ended."""
    if not Study.objects.filter(campaign=campaign).exists():
        return Cell(0, ZERO)
    entries = LedgerEntry.objects.filter(budget=campaign.public_id, currency=campaign.currency)
    approved = entries.filter(credited(CrowdSession.Status.ACTIVE), settlement__state="approved")
    waiting = approved.aggregate(n=Count("worker", distinct=True), sum=Sum("amount"))
    return Cell(waiting["n"], waiting["sum"] or ZERO)


def waiting_entries(campaign: Campaign) -> LedgerQuerySet:
    """Return bonuses and adjustments that wait for a second curator."""
    entries = LedgerEntry.objects.filter(budget=campaign.public_id).awaiting_second_approval()
    return entries.select_related("worker", "by")


def waiting_payouts(campaign: Campaign) -> list[Payout]:
    """Return payouts that wait for a second curator, newest first."""
    payouts = Payout.objects.filter(budget=campaign.public_id).awaiting_second_approval()
    return list(payouts.with_sums().select_related("created_by")[:MOST_WAITING])


@dataclass(frozen=True, slots=True)
class Earned:
    """A worker's pay from all campaigns in one currency."""

    currency: str
    owed: Decimal
    on_its_way: Decimal
    paid: Decimal


def earned(balances: Iterable[Balance]) -> list[Earned]:
    """Sum balances by currency."""
    sums: dict[str, list[Decimal]] = {}
    for row in balances:
        sums_of_currency = sums.setdefault(row.currency, [ZERO, ZERO, ZERO])
        for place, amount in enumerate((row.owed, row.exported, row.paid)):
            sums_of_currency[place] += amount
    return [Earned(currency, *amounts) for currency, amounts in sorted(sums.items())]


def state_words() -> list[tuple[str, str]]:
    """Return each state of pay with its meaning for a worker."""
    return [
        (str(State.ACCRUED.label), _("Pending: you have earned it, and it is not approved yet.")),
        (str(State.APPROVED.label), _("Pending: it is approved, and not in a payout yet.")),
        (str(State.EXPORTED.label), _("It is in a payout, which is not marked as paid yet.")),
        (str(State.PAID.label), _("A curator has marked the payout as paid.")),
        (str(State.VOID.label), _("It was cancelled, together with the entry that cancels it.")),
    ]
