"""Second approvals: a curator other than the writer agrees to large pay before it leaves."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from winoplatform.db.constraints import check
from workers.models.ledger import LedgerEntry
from workers.models.payouts import Payout


class SecondApproval(models.Model):
    """The approval of one entry or one payout that needs a second curator.

    Append-only: a database trigger refuses changes and deletions, and an approval by the curator
    who wrote the entry or created the payout.
    """

    entry = models.OneToOneField(
        LedgerEntry,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="second_approval",
    )
    payout = models.OneToOneField(
        Payout, null=True, blank=True, on_delete=models.PROTECT, related_name="second_approval"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            check(
                "is_of_one_thing",
                Q(entry__isnull=False, payout=None) | Q(entry=None, payout__isnull=False),
                "A second approval is of one entry or of one payout.",
            ),
        ]

    def __str__(self) -> str:
        return f"second approval of {self.entry or self.payout}"
