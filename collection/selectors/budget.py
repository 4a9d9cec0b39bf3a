"""A campaign's owed and committed money, read at one moment.

*Committed* is the most that can leave: the ledger's sum for the campaign, without deductions that
no unpaid pay covers (``_overpaid``), plus what its open work will add (``PromisedPay``): each
assigned article with its twin and all its votes, each vote that a twin still needs, and so on.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Subquery, Sum, Value
from django.db.models.functions import Coalesce

from collection.core.costs import Rates, affordable, twin_cost, votes_cost
from collection.models import Campaign, CrowdSession
from collection.selectors.pay import credited
from winoplatform import clock
from workers.models import LedgerEntry
from workers.models.promised_pay import MONEY, NOTHING, promised_to_all, summed

Status = CrowdSession.Status


def rates_of(campaign: Campaign) -> Rates:
    return Rates(
        reward_twin=campaign.reward_twin,
        reward_vote=campaign.reward_vote,
        reward_exercise=campaign.reward_exercise,
        votes=campaign.votes_per_question,
        extra_votes_max=campaign.extra_votes_max,
        gold_share=campaign.gold_share,
    )


def cost_of_twin(campaign: Campaign) -> Decimal:
    """Return what one more twin commits: its pay and that of its votes."""
    return twin_cost(
        reward_twin=campaign.reward_twin,
        reward_vote=campaign.reward_vote,
        votes=campaign.votes_per_question,
    )


def cost_of_vote(campaign: Campaign) -> Decimal:
    """Return what one more vote commits."""
    reward: Decimal = campaign.reward_vote
    return reward


def cost_of_votes(campaign: Campaign) -> Decimal:
    """Return what the votes of one more twin commit."""
    return votes_cost(reward_vote=campaign.reward_vote, votes=campaign.votes_per_question)


def committed(campaign: Campaign, now: datetime | None = None) -> Decimal:
    """Return what the campaign owes, has paid and has committed, in one query.

    One query reads one moment: a concurrent vote counts as committed or as owed, never as neither.
    """
    owed, overpaid, promised = _sums(campaign, now or clock.now())
    return owed + overpaid + promised


def _sums(campaign: Campaign, now: datetime) -> tuple[Decimal, Decimal, Decimal]:
    """Return the ledger's sum, what is overpaid, and what open work will add."""
    rows: Any = Campaign.objects.filter(pk=campaign.pk)
    sums: tuple[Decimal, Decimal, Decimal] = rows.values_list(
        _ledger_sum(campaign), _overpaid(campaign), promised_to_all(campaign, now)
    ).get()
    return sums


def _ledger_sum(campaign: Campaign) -> Any:
    entries = LedgerEntry.objects.filter(budget=campaign.public_id).order_by().values("budget")
    return summed(entries.annotate(sum=Sum("amount")).values("sum"))


class SumBehind(Subquery):
    """The sum of the column ``behind`` of a query."""

    template = "(SELECT sum(behind.behind) FROM (%(subquery)s) behind)"


def _overpaid(campaign: Campaign) -> Any:
    """Return the sum of deductions from pay that has left, which only later pay can repay.

    For each worker: how far the entries that are in no payout sum to less than zero. What has left
    stays spent, whatever is deducted afterwards. Deductions from unpaid pay count fully, since
    they leave with it or before it (``workers.services.payouts.payable``). A crowd platform pays
    the reward of a session without deductions, so that pay is summed apart; so is that of active
    sessions, which may become either.
    """
    here = LedgerEntry.objects.filter(budget=campaign.public_id)
    unpaid = here.unpaid().filter(worker__in=here.filter(amount__lt=0).values("worker"))
    ways = {"rewarded": credited(Status.COMPLETED), "undecided": credited(Status.ACTIVE)}
    sums = unpaid.order_by().annotate(**ways).values("worker", *ways)
    behind = sums.annotate(behind=-Sum("amount")).filter(behind__gt=0).values("behind")
    return Coalesce(SumBehind(behind, output_field=MONEY), Value(NOTHING), output_field=MONEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetState:
    """The state of a campaign's budget.

    Parameters
    ----------
    currency : str
    cap : Decimal or None
        None for none.
    owed : Decimal
        Sum of the ledger: owed and paid.
    overpaid : Decimal
        Deductions from pay that has left, which free no budget until pay covers them.
    promised : Decimal
        What open work will add.
    twin : Decimal
        What one more twin commits, including its votes.
    """

    currency: str
    cap: Decimal | None
    owed: Decimal
    overpaid: Decimal
    promised: Decimal
    twin: Decimal

    @property
    def committed(self) -> Decimal:
        return self.owed + self.overpaid + self.promised

    @property
    def left(self) -> Decimal | None:
        return None if self.cap is None else max(NOTHING, self.cap - self.committed)

    @property
    def twins_left(self) -> int | None:
        """How many more twins can be assigned; None for any number."""
        return None if self.left is None else affordable(self.left, self.twin)

    @property
    def share(self) -> float | None:
        """Return the committed share of the cap, 0 to 1."""
        if self.cap is None:
            return None
        return min(1.0, float(self.committed / self.cap)) if self.cap else 1.0


def state(campaign: Campaign) -> BudgetState:
    """Return the current state of the budget."""
    owed, overpaid, promised = _sums(campaign, clock.now())
    return BudgetState(
        currency=campaign.currency,
        cap=campaign.budget_cap,
        owed=owed,
        overpaid=overpaid,
        promised=promised,
        twin=cost_of_twin(campaign),
    )
