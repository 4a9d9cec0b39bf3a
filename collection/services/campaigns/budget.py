"""A campaign's budget: the cap that new promises stop at.

The cost of work is reserved before it is assigned, under a lock of the campaign, so that
concurrent requests cannot share the last free amount. ``selectors.budget`` says what counts as
committed. Its sum takes longer with each entry and each open seat, so far from the cap a promise
only adds to an upper bound (``BudgetBound``).

Without a cap, promises are made concurrently, and a curator who sets the first cap waits for all
of them (``_stays_uncapped``).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from collection.models import BudgetBound, Campaign
from collection.selectors.budget import (
    committed,
    cost_of_twin,
    cost_of_vote,
    cost_of_votes,
    rates_of,
    state,
)
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError

__all__ = [
    "committed",
    "cost_of_twin",
    "cost_of_vote",
    "cost_of_votes",
    "rates_of",
    "refusal",
    "refuse_beyond_cap",
    "reserve",
    "reserve_if_left",
    "state",
    "within",
]


LONGEST = timedelta(minutes=10)
"""The sum is recalculated after so long, to include what other programs wrote."""


@transaction.atomic
def reserve(*, campaign: Campaign, cost: Callable[[Campaign], Decimal]) -> None:
    """Hold the campaign's budget until the transaction ends, and see that some work fits into it.

    Locks the campaign's row, so take it last: after the rows of workers, questions and seats.

    Parameters
    ----------
    cost
        What the work costs by the campaign's rates: called with the locked row, whose rates may
        have risen since *campaign* was read.

    Raises
    ------
    DomainError
        ``budget_exhausted``.
    """
    if campaign.budget_cap is None and _stays_uncapped(campaign):
        return
    now_is = _locked(campaign)
    amount = cost(now_is)
    if now_is.budget_cap is None or not amount or _fits_below_bound(now_is, amount):
        return
    after = committed(now_is) + amount
    if after > now_is.budget_cap:
        raise exhausted()
    _keep_bound(now_is, after)


def reserve_if_left(*, campaign: Campaign, cost: Callable[[Campaign], Decimal]) -> bool:
    """As ``reserve``; False where the budget has too little left, and nothing is held then."""
    try:
        reserve(campaign=campaign, cost=cost)
    except DomainError as refused:
        if refused.code != "budget_exhausted":
            raise
        return False
    return True


def refusal(*, campaign: Campaign, amount: Decimal) -> DomainError | None:
    """Return the refusal of *amount* more, if any, without reserving it."""
    cap = campaign.budget_cap
    if cap is None or not amount or _bounds(campaign, cap - amount).exists():
        return None
    return None if committed(campaign) + amount <= cap else exhausted()


@contextmanager
def within(campaign: Campaign) -> Iterator[None]:
    """Refuse what the block does where it commits more than the cap allows.

    For changes whose cost is easier to see afterwards. The block runs in a transaction, and a
    refusal rolls it back. Locks as ``reserve`` does, and always adds everything up.

    Raises
    ------
    DomainError
        ``budget_exhausted``.
    """
    with transaction.atomic():
        if campaign.budget_cap is None and _stays_uncapped(campaign):
            yield
            return
        now_is = _locked(campaign)
        if now_is.budget_cap is None:
            yield
            return
        before = committed(now_is)
        yield
        after = committed(now_is)
        if after > max(now_is.budget_cap, before):
            raise exhausted()
        _keep_bound(now_is, after)


def _bounds(campaign: Campaign, limit: Decimal) -> QuerySet[BudgetBound]:
    """The campaign's bound, if it is recent and not above *limit*."""
    recent = BudgetBound.objects.filter(counted_at__gt=clock.now() - LONGEST)
    return recent.filter(campaign=campaign.pk, amount__lte=limit)


def _fits_below_bound(campaign: Campaign, amount: Decimal) -> bool:
    """Add *amount* to the bound of a locked campaign, if it is known to fit below the cap."""
    assert campaign.budget_cap is not None
    fitting = _bounds(campaign, campaign.budget_cap - amount)
    return bool(fitting.update(amount=F("amount") + amount))


def _keep_bound(campaign: Campaign, amount: Decimal) -> None:
    """Note what a locked campaign has committed, just added up."""
    bound = {"amount": amount, "counted_at": clock.now()}
    BudgetBound.objects.update_or_create(campaign=campaign, defaults=bound)


def _stays_uncapped(campaign: Campaign) -> bool:
    """Whether the campaign has no cap, and gets none until the transaction ends.

    A share lock: promises do not wait for each other, and the change of the row waits for them.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT budget_cap FROM collection_campaign WHERE id = %s FOR SHARE", [campaign.pk]
            )
            is_uncapped: bool = cursor.fetchone() == (None,)
        if not is_uncapped:
            # Two that kept the share lock and asked for the stronger one would wait for each other.
            transaction.set_rollback(True)
    return is_uncapped


def _locked(campaign: Campaign) -> Campaign:
    # NO KEY: work that is stored refers to the campaign, and need not wait.
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def exhausted() -> DomainError:
    """The refusal shown to workers; curators see the sums on the pay page."""
    return Conflict(
        "budget_exhausted",
        _(
            "All work that this campaign can pay for is assigned. Please check again later: "
            "returned work becomes available, and curators can raise the budget."
        ),
    )


def refuse_beyond_cap(campaign: Campaign) -> None:
    """Refuse settings under which what is committed already exceeds the cap.

    Raises
    ------
    DomainError
        ``budget_exhausted`` with the sums.
    """
    if campaign.budget_cap is None:
        return
    sum_ = committed(campaign)
    if sum_ > campaign.budget_cap:
        raise Conflict(
            "budget_exhausted",
            _(
                "With these settings %(committed)s %(currency)s are committed, more than the "
                "budget of %(cap)s %(currency)s. Raise the budget or lower the pay."
            )
            % {"committed": sum_, "cap": campaign.budget_cap, "currency": campaign.currency},
            details={"committed": str(sum_), "cap": str(campaign.budget_cap)},
        )
