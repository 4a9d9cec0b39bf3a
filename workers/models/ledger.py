"""What people are owed."""

from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class LedgerQuerySet(models.QuerySet["LedgerEntry"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.filter(worker=user)

    def total(self) -> Decimal:
        """The sum of the amounts; entries of one currency are assumed to be selected."""
        return self.aggregate(sum=models.Sum("amount"))["sum"] or Decimal("0.00")


class LedgerEntry(models.Model):
    """One cent-exact fact: this worker is owed this much for this unit of work.

    Append-only: a database trigger refuses changes and deletions; mistakes are mended by a
    compensating entry of kind ``adjustment``.
    """

    class Kind(models.TextChoices):
        TWIN = "twin", _("twin written")
        VOTE = "vote", _("question judged")
        TRAINING = "training", _("exercise done")
        ADJUSTMENT = "adjustment", _("adjustment")

    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ledger"
    )
    kind = models.CharField(max_length=16, choices=Kind)
    unit = models.CharField(max_length=64, help_text=_("Public id of what was done."))
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3)
    budget = models.UUIDField(help_text=_("Public id of the campaign that pays."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [models.Index(fields=["budget", "kind"])]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_pays_a_unit_once",
                fields=["worker", "kind", "unit"],
                violation_error_message="This work has been paid already.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_only_adjustments_are_negative",
                condition=models.Q(amount__gte=0) | models.Q(kind="adjustment"),
                violation_error_message="Only an adjustment may be negative.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_currency_is_a_code",
                condition=models.Q(currency__regex=r"^[A-Z]{3}$"),
                violation_error_message="A currency is a three-letter code such as USD.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} · {self.get_kind_display()} · {self.unit}"
