"""How far pay has come on its way to the worker: settlements and payouts."""

import uuid
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.constraints import check, unique
from workers.models.ledger import LedgerEntry


class PayoutQuerySet(models.QuerySet["Payout"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.none()

    def with_sums(self) -> Self:
        """Add each payout's number of workers and what it pays, as ``n_workers`` and ``sum``."""
        return self.annotate(n_workers=models.Count("lines"), sum=models.Sum("lines__amount"))


class Payout(models.Model):
    """One batch of approved pay that leaves the platform together, as a file.

    One of provider ``platform`` is what a crowd platform pays by itself, as the reward of the
    sessions that were completed there: it is noted here so that nobody pays it again.

    ::

        exported ──▶ paid
           └──▶ cancelled (its entries are approved again)
    """

    class Status(models.TextChoices):
        EXPORTED = "exported", _("exported")
        PAID = "paid", _("paid")
        CANCELLED = "cancelled", _("cancelled")

    class Provider(models.TextChoices):
        ANY = "any", _("any, as CSV")
        PROLIFIC = "prolific", "Prolific"
        MTURK = "mturk", "Amazon Mechanical Turk"
        PLATFORM = "platform", _("paid by the platform, as the session’s reward")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    client_key = models.UUIDField(
        unique=True, help_text=_("Made by the client: asking again makes no second payout.")
    )
    budget = models.UUIDField(help_text=_("Public id of the campaign that pays."))
    currency = models.CharField(max_length=3)
    provider = models.CharField(max_length=16, choices=Provider, default=Provider.ANY)
    status = models.CharField(max_length=16, choices=Status, default=Status.EXPORTED)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = PayoutQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [models.Index(fields=["budget"])]
        constraints: ClassVar = [
            check(
                "ends_once",
                Q(status="exported", ended_at=None, ended_by=None)
                | (
                    Q(status__in=["paid", "cancelled"], ended_at__isnull=False)
                    & Q(ended_by__isnull=False)
                ),
                "A payout that is paid or cancelled has a date and a name.",
            ),
        ]

    def __str__(self) -> str:
        return f"payout {self.public_id}"


class PayoutLine(models.Model):
    """What one worker gets in one payout; it stays as it was sent, also when it is cancelled."""

    payout = models.ForeignKey(Payout, on_delete=models.PROTECT, related_name="lines")
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="payout_lines"
    )
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    n_entries = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            unique("is_one_a_worker", ["payout", "worker"], "A payout has one line for a worker."),
            check("pays_something", Q(amount__gt=0), "A payout pays more than nothing."),
        ]

    def __str__(self) -> str:
        return f"{self.amount} to {self.worker_id}"


class SettlementQuerySet(models.QuerySet["Settlement"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.filter(entry__worker=user)


class Settlement(models.Model):
    """How far one ledger entry has come; the entry itself never changes.

    An entry without one is *accrued*. A database trigger holds to the arrows.

    ::

        (accrued) ──approve──▶ approved ──export──▶ exported ──▶ paid
             │                    │  ▲────cancel────────┘
             └──void──▶ void ◀────┘
    """

    class State(models.TextChoices):
        APPROVED = "approved", _("approved")
        EXPORTED = "exported", _("exported")
        PAID = "paid", _("paid")
        VOID = "void", _("void")

    entry = models.OneToOneField(
        LedgerEntry, primary_key=True, on_delete=models.PROTECT, related_name="settlement"
    )
    state = models.CharField(max_length=16, choices=State)
    payout = models.ForeignKey(
        Payout, null=True, blank=True, on_delete=models.PROTECT, related_name="settlements"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        help_text=_("Who approved or voided it; empty where the platform did."),
    )
    changed_at = models.DateTimeField(default=timezone.now)

    objects = SettlementQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            check(
                "names_its_payout",
                Q(state__in=["exported", "paid"], payout__isnull=False)
                | Q(state__in=["approved", "void"], payout=None),
                "An exported or paid entry names its payout.",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="workers_settlement_approved", fields=["entry"], condition=Q(state="approved")
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.entry_id}: {self.get_state_display()}"
