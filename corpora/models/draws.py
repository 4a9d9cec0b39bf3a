"""The table of splits, drawn once for each twin."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Twin
from winoplatform.constraints import check
from winoplatform.runs.columns import known


class Draw(models.Model):
    """The split of one twin: written once, never changed, used by every release.

    A trigger refuses updates and deletes. ``dev_share`` and ``test_share`` are the campaign's
    shares at the time of the draw; later draws of the campaign compensate for rounding.
    """

    class Split(models.TextChoices):
        TRAIN = "train", "train"
        DEV = "dev", "dev"
        TEST = "test", _("test (blind)")
        WITHHELD = "withheld", _("in no release")

    class Origin(models.TextChoices):
        DEALT = "dealt", _("dealt at random")
        LINKED = "linked", _("that of a related twin or public set that shows its answer")
        IMPORTED = "imported", _("that of the file it came from")

    twin = models.OneToOneField(Twin, on_delete=models.PROTECT, related_name="draw")
    split = models.CharField(max_length=8, choices=Split)
    origin = models.CharField(max_length=8, choices=Origin)
    is_pair = models.BooleanField(help_text=_("Whether both questions were valid at that time."))
    dev_share = models.DecimalField(max_digits=3, decimal_places=2, null=True, blank=True)
    test_share = models.DecimalField(max_digits=3, decimal_places=2, null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            known("split", "train", "dev", "test", "withheld"),
            known("origin", "dealt", "linked", "imported"),
            check(
                "dealt_has_its_shares",
                Q(origin="dealt", dev_share__isnull=False, test_share__isnull=False)
                | (~Q(origin="dealt") & Q(dev_share=None, test_share=None)),
                "A draw has shares if and only if it was dealt.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.twin_id}: {self.split}"
