"""Tables for human evaluations: what people are asked."""

import uuid
from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Question
from corpora.core.items import Item
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.models.one_set import OF_ONE_SET, WHOLE
from winoplatform.constraints import check, unique
from winoplatform.money import AmountField
from winoplatform.runs.columns import known


class HumanEvaluation(models.Model):
    """Fresh votes of people on a split of a release or reference set, or on a snapshot.

    Its campaign pays, and the campaign's validators answer. The votes decide nothing: no verdict
    and no figure of validation uses them.

    ::

        open ◀──▶ paused
          └──▶ closed ◀──┘
    """

    WHOLE = WHOLE

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    ACTIVE = (Status.OPEN, Status.PAUSED)

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(
        Campaign,
        on_delete=models.PROTECT,
        related_name="human_evaluations",
        help_text=_("Its validators answer, and its budget pays them."),
    )
    release = models.ForeignKey(
        Release, null=True, blank=True, on_delete=models.PROTECT, related_name="human_evaluations"
    )
    snapshot = models.ForeignKey(
        Snapshot, null=True, blank=True, on_delete=models.PROTECT, related_name="human_evaluations"
    )
    reference_set = models.ForeignKey(
        ReferenceSet,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="human_evaluations",
    )
    split = models.SlugField(default="dev", help_text=_("“all” for a snapshot."))
    votes_per_item = models.PositiveSmallIntegerField(default=3, help_text=_("3 or 5."))
    reward = AmountField(
        max_digits=8,
        is_pay=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_("What each vote pays."),
    )
    n_groups = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Groups drawn at random; empty for all.")
    )
    seed = models.PositiveBigIntegerField(default=0, help_text=_("Of the draw and the queue."))
    data_sha256 = models.CharField(
        max_length=64,
        editable=False,
        help_text=_("Of the items’ canonical lines, without answers, in published order."),
    )
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("human evaluation")
        constraints: ClassVar = [
            known("status", "open", "paused", "closed"),
            check(
                "is_of_one_set",
                OF_ONE_SET,
                "A human evaluation is of a release, of a reference set or of a snapshot.",
            ),
            check(
                "snapshot_is_whole",
                Q(snapshot=None) | Q(split=WHOLE),
                "A snapshot has no splits: name the split “all”.",
            ),
            check(
                "has_three_or_five_votes",
                Q(votes_per_item__in=[3, 5]),
                "An item gets three or five votes.",
            ),
            check("pays_no_less_than_zero", Q(reward__gte=0), "A reward cannot be negative."),
            check(
                "draws_some_groups",
                Q(n_groups=None) | Q(n_groups__gte=1),
                "A sample has at least one group.",
            ),
        ]

    def __str__(self) -> str:
        return f"people on {self.data_name}"

    @property
    def data(self) -> Release | Snapshot | ReferenceSet:
        found = self.release or self.snapshot or self.reference_set
        assert found is not None
        return found

    @property
    def data_name(self) -> str:
        """The set and its split, in words."""
        if self.snapshot is not None:
            return _("snapshot of %(campaign)s") % {"campaign": self.campaign.name}
        named = self.release or self.reference_set
        return f"{named.name} {self.split}" if named else self.split


class HumanItem(models.Model):
    """One item of a human evaluation, as it is shown, with its answer."""

    evaluation = models.ForeignKey(HumanEvaluation, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField(help_text=_("Position in the published order, from 1."))
    source_id = models.TextField(help_text=_("Id of the item in its set."))
    line = models.TextField(help_text=_("The item’s canonical JSON line, with its answer."))
    # Null for items of reference sets.
    question = models.ForeignKey(
        Question, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            unique("is_numbered", ["evaluation", "number"], "Each number has one item."),
            unique("is_asked_once", ["evaluation", "source_id"], "An item is in a set once."),
        ]

    def __str__(self) -> str:
        return self.source_id

    @property
    def item(self) -> Item:
        return Item.from_line(self.line)
