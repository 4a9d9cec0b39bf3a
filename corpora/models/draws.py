"""The tables of splits, drawn once for each twin, and of what is decided about blind questions."""

import hashlib
import hmac
import secrets
import uuid
from collections.abc import Iterable
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Twin
from winoplatform.db.columns import optional
from winoplatform.db.constraints import check
from winoplatform.runs.columns import value_constraint


def new_salt() -> str:
    return secrets.token_hex(32)


class DrawTable(models.Model):
    """The commitment to the splits that one transaction drew: made with them, opened later.

    ``sha256`` is the hash of the table's lines: public id of the twin, split and the twin's salt,
    separated by tabs, sorted. So nobody can change a split unnoticed, and without the salts the
    hash tells no split.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    sha256 = models.CharField(max_length=64, editable=False)
    # Only in curators' exports: the twins' salts come from it.
    salt = models.CharField(max_length=64, default=new_salt, editable=False)
    n_twins = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return self.sha256

    def lines(self, splits: Iterable[tuple[str, str]]) -> list[bytes]:
        """Return the table's lines for pairs of a twin's public id and its split."""
        return sorted(f"{twin}\t{split}\t{self._salt(twin)}\n".encode() for twin, split in splits)

    def commit(self, splits: Iterable[tuple[str, str]]) -> None:
        """Set the hash and the number of twins."""
        lines = self.lines(splits)
        self.sha256, self.n_twins = hashlib.sha256(b"".join(lines)).hexdigest(), len(lines)

    def _salt(self, twin: str) -> str:
        return hmac.digest(bytes.fromhex(self.salt), twin.encode(), "sha256").hex()


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
    table = optional(DrawTable, "draws")
    split = models.CharField(max_length=8, choices=Split)
    origin = models.CharField(max_length=8, choices=Origin)
    is_pair = models.BooleanField(help_text=_("Whether both questions were valid at that time."))
    dev_share = models.DecimalField(max_digits=3, decimal_places=2, null=True, blank=True)
    test_share = models.DecimalField(max_digits=3, decimal_places=2, null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            value_constraint("split", "train", "dev", "test", "withheld"),
            value_constraint("origin", "dealt", "linked", "imported"),
            check(
                "dealt_has_its_shares",
                Q(origin="dealt", dev_share__isnull=False, test_share__isnull=False)
                | (~Q(origin="dealt") & Q(dev_share=None, test_share=None)),
                "A draw has shares if and only if it was dealt.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.twin_id}: {self.split}"
