"""Tables for panels: what people are asked, how often, and what it pays."""

import uuid
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Question
from corpora.core.items import Item
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.models.one_set import OF_ONE_SET, WHOLE
from panels.core.pay import share_of_whole
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from winoplatform.db.money import AmountField
from winoplatform.runs.columns import value_constraint
from workers.models import LedgerEntry, User

MOST_VOTES = 20
OF_NO_SET = Q(release=None, reference_set=None, snapshot=None)
NOT_NEGATIVE = (MinValueValidator(Decimal("0")),)


class PanelQuerySet(models.QuerySet["Panel"]):
    def visible_to(self, user: Any) -> Self:
        """Those of campaigns that *user* sees, and for workers those they enrolled in.

        Participants of studies see only panels of their studies' campaigns.
        """
        if not isinstance(user, User):
            return self.none()
        campaigns = Campaign.objects.visible_to(user)
        taken = Q(enrolments__worker=user, enrolments__ended_at=None)
        enrolled = self.model._base_manager.filter(taken)
        return self.filter(Q(campaign__in=campaigns) | Q(pk__in=enrolled.values("pk")))

    def of_whole_sets(self) -> Self:
        """Those whose figures hold for their set: of all its items, or of some drawn at random."""
        return self.filter(is_chosen=False)


class Panel(models.Model):
    """Items that people are asked about, for pay.

    In a queue, each item gets equally many votes, of whoever comes; in a panel of enrolments, each
    of so many people answers every item, in an own order. The items are of a split of a release or
    reference set, or of a snapshot; or an upper app has copied them in, for its ``purpose``. Its
    campaign pays, and the campaign's validators answer.

    ::

        open ◀──▶ paused
          └──▶ closed ◀──┘
    """

    WHOLE = WHOLE

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    class Mode(models.TextChoices):
        QUEUE = "queue", _("queue")
        ENROLMENTS = "enrolments", _("enrolments")

    ACTIVE = (Status.OPEN, Status.PAUSED)

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = reference(
        Campaign, "panels", help_text=_("Its validators answer, and its budget pays them.")
    )
    purpose = models.SlugField(
        blank=True, help_text=_("What the items were copied for; empty for a human evaluation.")
    )
    title = models.CharField(max_length=200, blank=True, help_text=_("Of copied items."))
    mode = models.CharField(max_length=16, choices=Mode, default=Mode.QUEUE)
    release = optional(Release, "panels")
    snapshot = optional(Snapshot, "panels")
    reference_set = optional(ReferenceSet, "panels")
    split = models.SlugField(
        default="dev", help_text=_("“all” for a snapshot and for copied items.")
    )
    votes_per_item = models.PositiveSmallIntegerField(
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_VOTES)],
        help_text=_("3 or 5 in a queue; with enrolments, one for each person."),
    )
    needed = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text=_("With enrolments: answers equal to its label that make an item valid."),
    )
    reward = AmountField(
        max_digits=8,
        is_pay=True,
        null=True,
        blank=True,
        validators=NOT_NEGATIVE,
        help_text=_("What each vote pays."),
    )
    whole_set = AmountField(
        max_digits=10,
        is_pay=True,
        null=True,
        blank=True,
        validators=NOT_NEGATIVE,
        help_text=_("What one person is paid for all items, instead."),
    )
    pay_kind = models.CharField(
        max_length=16,
        choices=[
            (kind.value, kind.label)
            for kind in (LedgerEntry.Kind.EVALUATION, LedgerEntry.Kind.KNOWLEDGE)
        ],
        default=LedgerEntry.Kind.EVALUATION,
        editable=False,
        help_text=_("Kind of its entries in the ledger."),
    )
    n_items = models.PositiveIntegerField(editable=False)
    n_groups = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Groups drawn at random; empty for all.")
    )
    is_chosen = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text=_("Whether its items were chosen, so that figures about them are of no set."),
    )
    seed = models.PositiveBigIntegerField(default=0, help_text=_("Of the draw and the orders."))
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

    objects = PanelQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("human evaluation")
        constraints: ClassVar = [
            value_constraint("status", "open", "paused", "closed"),
            check(
                "is_of_one_set",
                (Q(purpose="", title="", mode="queue") & OF_ONE_SET)
                | (OF_NO_SET & ~Q(purpose="") & ~Q(title="")),
                "A panel is of a release, of a reference set or of a snapshot, or of copied items.",
            ),
            check(
                "snapshot_is_whole",
                Q(release__isnull=False) | Q(reference_set__isnull=False) | Q(split=WHOLE),
                "A snapshot has no splits: name the split “all”.",
            ),
            check(
                "has_three_or_five_votes",
                Q(mode="enrolments", votes_per_item__gte=1)
                | Q(mode="queue", votes_per_item__in=[3, 5]),
                "An item gets three or five votes.",
            ),
            check(
                "needs_more_than_half",
                Q(mode="queue", needed=None)
                | Q(
                    mode="enrolments",
                    needed__lte=F("votes_per_item"),
                    votes_per_item__lt=2 * F("needed"),
                ),
                "An item is valid by more than half of its answers.",
            ),
            check(
                "pays_the_set_or_each_answer",
                Q(mode="enrolments", whole_set__isnull=False, reward=None)
                | Q(whole_set=None, reward__isnull=False),
                "People are paid for the whole set or for each answer.",
            ),
            check(
                "pays_no_less_than_zero",
                Q(whole_set=None) | Q(whole_set__gte=0),
                "An amount cannot be negative.",
            ),
            check(
                "rewards_no_less_than_zero",
                Q(reward=None) | Q(reward__gte=0),
                "A reward cannot be negative.",
            ),
            check(
                "draws_some_groups",
                Q(n_groups=None) | Q(n_groups__gte=1),
                "A sample has at least one group.",
            ),
        ]

    def __str__(self) -> str:
        return f"people on {self.data_name}"

    @property
    def is_queue(self) -> bool:
        return self.mode == self.Mode.QUEUE

    @property
    def data(self) -> Release | Snapshot | ReferenceSet | None:
        """The set whose items people are asked; None for copied items."""
        return self.release or self.snapshot or self.reference_set

    @property
    def data_name(self) -> str:
        """What people are asked about, in words."""
        if self.snapshot is not None:
            return _("snapshot of %(campaign)s") % {"campaign": self.campaign.name}
        named = self.release or self.reference_set
        return f"{named.name} {self.split}" if named else self.title

    def pay_of(self, place: int) -> Decimal:
        """Return what the answer at a place of a person's order pays, counted from 0."""
        if self.whole_set is None:
            assert self.reward is not None  # a constraint of the table
            reward: Decimal = self.reward
            return reward
        return share_of_whole(self.whole_set, n=self.n_items, number=place + 1)

    @property
    def cost(self) -> Decimal:
        """What all its votes pay, none of them excluded."""
        by_item = (self.reward or Decimal(0)) * self.n_items
        return (by_item if self.whole_set is None else self.whole_set) * self.votes_per_item


class PanelItem(models.Model):
    """One item of a panel, as it is shown, with its answer."""

    panel = models.ForeignKey(Panel, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField(help_text=_("Position in the published order, from 1."))
    source_id = models.TextField(help_text=_("Id of the item in its set."))
    line = models.TextField(help_text=_("The item’s canonical JSON line, with its answer."))
    # Null for items of reference sets, and for copied ones.
    question = optional(Question)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            unique("is_numbered", ["panel", "number"], "Each number has one item."),
            unique("is_asked_once", ["panel", "source_id"], "An item is in a panel once."),
        ]

    def __str__(self) -> str:
        return self.source_id

    @property
    def item(self) -> Item:
        return Item.from_line(self.line)
