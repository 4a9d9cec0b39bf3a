"""The abstract seat: the right to give one of several answers to a target, and its holder.

A subclass has a foreign key to its target and defines who may hold a seat, in which order seats are
handed out, and what an answer is; ``services.validating.leases`` does the rest.
"""

from decimal import Decimal
from typing import Any, ClassVar, Self, TypeVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import IsNull

from winoplatform.db.columns import optional
from winoplatform.db.constraints import check, unique
from workers.models import PromisedPay, PromisedPayQuerySet, User

S = TypeVar("S", bound="AbstractSeat")


def none_of(rows: "QuerySet[Any, Any]") -> IsNull:
    """Return a condition that *rows*, looked up for each row of the outer query, is empty.

    For an EXISTS, the database would first read all rows of a worker.
    """
    return IsNull(Subquery(rows.values("pk")[:1]), True)


class AbstractSeatQuerySet(PromisedPayQuerySet[S]):
    def idle(self, *, now: Any) -> Self:
        """Seats without an answer that are free, or whose lease has ended."""
        return self.waiting().filter(Q(worker=None) | Q(leased_until__lte=now))

    def free(self, *, now: Any) -> Self:
        """Seats that can be claimed; a subclass may exclude some idle ones."""
        return self.idle(now=now)

    def open_to(self, worker: Any) -> Self:
        """Seats that *worker* may hold; a subclass may add conditions."""
        once = self.model.ONCE
        theirs = self.model._base_manager.filter(worker=worker, **{once: OuterRef(once)})
        return self.filter(none_of(theirs))

    def in_order(self) -> Self:
        return self.order_by("place", "number")


class AbstractSeat(PromisedPay):
    """One numbered seat of a target.

    ::

        free ──claim──▶ leased ──answer──▶ answered
          ▲               │
          └─ return, or lease ended ─┘
    """

    ONCE: ClassVar[str]
    """The field for which a worker has at most one seat: the target, or its parent."""
    EMPTY: ClassVar[dict[str, Any]] = {}
    """Values of the subclass's fields in a seat whose answer has not begun."""
    LOST: ClassVar = (
        "This is no longer yours: its time ran out, and another worker may get it. Get the next "
        "one."
    )

    number = models.PositiveSmallIntegerField()
    place = models.BigIntegerField(default=0, help_text="Order in the queue.")
    # No index: each claim would update it. Subclasses define the indexes they need.
    worker = optional(User, "%(class)ss", db_index=False)
    claimed_at = models.DateTimeField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    reward = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text="What the answer pays, as promised when the seat was taken.",
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    left_by: int | None  # read by ``services.leases.claiming``

    class Meta:
        abstract = True

    @property
    def seconds(self) -> float | None:
        """From the claim to the answer."""
        if self.answered_at is None or self.claimed_at is None:
            return None
        return (self.answered_at - self.claimed_at).total_seconds()

    @classmethod
    def rules(cls, *, target: str, once: str) -> list[models.BaseConstraint]:
        """Return the constraints of a subclass, for its ``Meta``."""
        return [
            unique("is_numbered", [target, "number"], "Each number has one seat."),
            unique("worker_sits_once", [once, "worker"], "A worker has one seat here, once."),
            check(
                "taken_has_lease",
                Q(worker=None, leased_until=None, answered_at=None)
                | Q(worker__isnull=False, leased_until__isnull=False),
                "A taken seat has a worker and a lease.",
            ),
        ]
