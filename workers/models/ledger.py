"""The ledger: what workers are owed."""

from decimal import Decimal
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from winoplatform.http.rights import Right
from workers.models.accounts import User, in_campaigns_of

MOST = Decimal(1_000_000)
"""The largest amount of one entry, whatever ``PAY_ENTRY_MAX`` allows."""
EXTRA_PAY = models.Q(kind="bonus") | models.Q(kind="adjustment", unit__startswith="adjustment:")
REVERSAL = models.Q(kind="adjustment") & ~models.Q(unit__startswith="adjustment:")


def of_payers(user: Any) -> models.Q:
    """Select rows of the budgets whose pay *user* may see; all for admins."""
    return in_campaigns_of(user, "budget", Right.PAY)


class LedgerQuerySet(models.QuerySet["LedgerEntry"]):
    def visible_to(self, user: Any) -> Self:
        return self.filter(models.Q(worker=user) | of_payers(user))

    def with_state(self) -> Self:
        """Annotate the state of each entry as ``state`` (one of ``LedgerEntry.State``)."""
        return self.annotate(state=Coalesce("settlement__state", models.Value("accrued")))

    def unpaid(self) -> Self:
        """Entries that are in no payout and not void."""
        return self.filter(models.Q(settlement=None) | models.Q(settlement__state="approved"))

    def deductions(self) -> Self:
        """Unpaid entries below zero, except reversals of unpaid pay, which leave with it."""
        reversed_pay = LedgerEntry.objects.filter(
            worker=models.OuterRef("worker"), unit=models.OuterRef("unit")
        )
        unpaid_pay = reversed_pay.exclude(kind="adjustment").unpaid()
        return self.filter(amount__lt=0).unpaid().filter(~models.Exists(unpaid_pay))

    def awaiting_second_approval(self) -> Self:
        """Entries that are in no payout until a second curator approves them."""
        waiting = self.filter(needs_second_approval=True, second_approval=None)
        return waiting.exclude(settlement__state="void")

    def extra_pay(self) -> Self:
        """Entries that curators wrote with a client key: bonuses, and free adjustments.

        The condition equals that of the constraint, so that its index is used.
        """
        return self.filter(EXTRA_PAY)

    def total(self) -> Decimal:
        """Return the sum of the amounts; the entries should have one currency."""
        return self.aggregate(sum=models.Sum("amount"))["sum"] or Decimal("0.00")


class LedgerEntry(models.Model):
    """The amount that a worker is owed for one unit of work.

    Append-only: a database trigger refuses changes and deletions; mistakes are corrected by an
    entry of kind ``adjustment``. It lets only the note be emptied, once the person is erased.
    """

    class Kind(models.TextChoices):
        TWIN = "twin", _("twin written")
        VOTE = "vote", _("question validated")
        TRAINING = "training", _("training or test done")
        GOLD = "gold", _("control question validated")
        EVALUATION = "evaluation", _("question of an evaluation answered")
        KNOWLEDGE = "knowledge", _("knowledge sentence answered")
        FORMALISATION = "formalisation", _("question formalised")
        BONUS = "bonus", _("bonus")
        ADJUSTMENT = "adjustment", _("adjustment")

    class State(models.TextChoices):
        """The state of an entry, stored in ``Settlement``; without one it is accrued."""

        ACCRUED = "accrued", _("accrued")
        APPROVED = "approved", _("approved")
        EXPORTED = "exported", _("in a payout")
        PAID = "paid", _("paid")
        VOID = "void", _("void")

    worker = reference(User, "ledger", db_index=False)
    kind = models.CharField(max_length=16, choices=Kind)
    unit = models.CharField(max_length=64, help_text=_("Public id of what was done."))
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3)
    budget = models.UUIDField(help_text=_("Public id of the campaign that pays."))
    note = models.CharField(max_length=300, blank=True, help_text=_("Shown to the worker."))
    by = optional(User, db_index=False, help_text=_("The curator who wrote it; empty if work did."))
    needs_second_approval = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text=_("Whether a second curator has to approve it before it is in a payout."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "ledger entries"
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [
            # With the amount: a campaign's costs are summed whenever work is assigned.
            models.Index(
                name="workers_ledger_budget", fields=["budget", "kind"], include=["amount"]
            ),
            # With the budget: lists ask for each person whether a campaign pays them. Without it,
            # PostgreSQL reads the table in the hope of finding an entry soon.
            models.Index(name="workers_ledger_worker", fields=["worker", "budget"]),
            models.Index(
                name="workers_ledger_deductions",
                fields=["budget", "worker"],
                condition=models.Q(amount__lt=0),
            ),
            models.Index(
                name="workers_ledger_written_by",
                fields=["by", "created_at"],
                condition=models.Q(by__isnull=False),
            ),
            models.Index(
                name="workers_ledger_second",
                fields=["budget"],
                condition=models.Q(needs_second_approval=True),
            ),
        ]
        constraints: ClassVar = [
            unique(
                "pays_a_unit_once", ["worker", "kind", "unit"], "This work has been paid already."
            ),
            unique(
                "key_of_extra_pay_is_used_once",
                ["unit"],
                "This client key belongs to another entry.",
                condition=EXTRA_PAY,
            ),
            check(
                "only_adjustments_are_negative",
                models.Q(amount__gte=0) | models.Q(kind="adjustment"),
                "Only an adjustment may be negative.",
            ),
            check(
                "amount_is_limited",
                models.Q(amount__gte=-MOST, amount__lte=MOST) | REVERSAL,
                "An entry must not exceed 1,000,000.",
            ),
            check(
                "second_approval_is_of_extra_pay",
                models.Q(needs_second_approval=False) | (EXTRA_PAY & models.Q(by__isnull=False)),
                "Only a bonus or an adjustment by a curator needs a second approval.",
            ),
            check(
                "currency_is_a_code",
                models.Q(currency__regex=r"^[A-Z]{3}$"),
                "A currency is a three-letter code such as USD.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} · {self.get_kind_display()} · {self.unit}"

    @property
    def awaits_second_approval(self) -> bool:
        """Whether it is in no payout until a second curator approves it; a void one never is."""
        if not self.needs_second_approval or hasattr(self, "second_approval"):
            return False
        return not (hasattr(self, "settlement") and self.settlement.state == self.State.VOID)
