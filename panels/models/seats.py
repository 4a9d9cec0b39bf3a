"""Tables for the seats of panels, with their votes, and for what was shown to whom."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Case, F, Func, OuterRef, Q, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Twin
from panels.models.enrolments import Enrolment
from panels.models.panels import Panel, PanelItem
from validation.models import (
    AbstractSeat,
    AbstractSeatQuerySet,
    PassedSeat,
    Seat,
    VerdictEvent,
    Vote,
)
from validation.models.abstract import none_of
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import value_constraint
from workers.models import User
from workers.models.promised_pay import LATE, MONEY


class PanelSeatQuerySet(AbstractSeatQuerySet["PanelSeat"]):
    def open_to(self, worker: Any) -> Self:
        """Seats that *worker* may hold: of groups that are new to them.

        Not of a twin that they wrote, validated, passed or reviewed, and of a group in which they
        have seen an item in any queue only that item.
        """
        others = ShownItem.objects.filter(worker=worker, group_key=OuterRef("group_key"))
        others = others.filter(~Q(item=OuterRef("item")))
        return super().open_to(worker).unknown_to(worker).filter(none_of(others))

    def free(self, *, now: Any) -> Self:
        """Seats that can be claimed: idle ones whose vote would count."""
        return self.idle(now=now).filter(spare=False)

    def reported(self) -> Self:
        """Seats whose holders reported a problem with the item."""
        return self.exclude(report="")

    def counting(self) -> Self:
        """Seats whose votes are used."""
        return self.filter(answered_at__isnull=False, excluded_at=None, spare=False)

    def promised(self, campaign: Campaign, now: datetime) -> Any:
        """Return an expression for what the waiting seats of a campaign's panels will pay.

        After the end of a panel only the seats that are still held can be answered, and so it is
        with spare seats.
        """
        held = Q(worker__isnull=False, leased_until__gt=now - LATE)
        wanted = Q(panel__status__in=Panel.ACTIVE, spare=False)
        return self.waiting().filter(wanted | held).cost(campaign, _pay())

    def of_enrolment(self, worker: Any) -> Self:
        """Seats with the number of *worker*'s active enrolment."""
        mine = Enrolment.objects.active().filter(
            worker=worker, panel=OuterRef("panel"), number=OuterRef("number")
        )
        return self.exclude(none_of(mine))

    def unknown_to(self, worker: Any) -> Self:
        """Seats of twins that *worker* did not write, validate, pass or review.

        The block that a seat of a panel itself sets is left out (``ShownItem``).
        """
        validated = Seat.objects.filter(worker=worker, twin=OuterRef("twin"))
        passed = PassedSeat.objects.filter(worker=worker, twin=OuterRef("twin"), blocked=True)
        passed = passed.filter(shown_item=None)
        reviewed = VerdictEvent.objects.filter(by=worker, question__twin=OuterRef("twin"))
        unknown = self
        for author in ("author", "other_author"):
            unknown = unknown.filter(Q((author, None)) | ~Q((author, worker)))
        for known_by in (validated, passed, reviewed.order_by()):
            unknown = unknown.filter(none_of(known_by))
        return unknown


def _pay() -> Any:
    """Return an expression for what the vote of a seat pays; see ``Panel.pay_of``."""
    whole, n = F("panel__whole_set"), F("panel__n_items")
    share = Func(whole, n, template="TRUNC(%(expressions)s, 2)", arg_joiner=" / ")
    share.output_field = MONEY
    return Case(
        When(panel__whole_set=None, then=F("panel__reward")),
        When(place=n - 1, then=whole - (n - 1) * share),
        default=share,
        output_field=MONEY,
    )


class PanelSeat(AbstractSeat):
    """The right to cast one vote on an item, and the vote once it is cast.

    Its number is that of the enrolment, if the panel has enrolments. Twin and authors are copied
    from where they never change: so the constraints of one table decide who may hold a seat.
    """

    class Fails(models.TextChoices):
        """What a statement fails that was answered with no."""

        SENSE = "sense", _("it does not hold by common sense")
        SUPPORT = "support", _("it does not support the answer")
        BOTH = "both", _("both")

    ONCE = "group_key"
    CAMPAIGN = "panel__campaign"
    KIND = F("panel__pay_kind")
    EMPTY: ClassVar = {"option": None, "fails": ""}
    LOST = (
        "This question is no longer yours: its time ran out, and another person may get it. Get "
        "the next one."
    )

    panel = models.ForeignKey(Panel, on_delete=models.CASCADE, related_name="seats", db_index=False)
    item = models.ForeignKey(
        PanelItem, on_delete=models.CASCADE, related_name="seats", db_index=False
    )
    group_key = models.CharField(
        max_length=64,
        help_text=_("The same for a group in all queues; with enrolments, of the item."),
    )
    twin = optional(Twin, db_index=False)
    author = optional(User, db_index=False)
    other_author = optional(User, db_index=False)
    # Random, and never sent to clients.
    order = ArrayField(
        models.PositiveSmallIntegerField(), help_text=_("The item’s options as they are shown.")
    )
    option = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("The vote, numbered as in the item.")
    )
    fails = models.CharField(max_length=8, choices=Fails, blank=True)
    report = models.CharField(
        max_length=16,
        choices=Vote.Report,
        blank=True,
        default=Vote.Report.NONE,
        help_text=_("A problem with the item, as who answered says."),
    )
    first_option = models.PositiveSmallIntegerField(
        null=True, blank=True, editable=False, help_text=_("The vote before it was amended.")
    )
    amended_at = models.DateTimeField(null=True, blank=True, editable=False)
    spare = models.BooleanField(
        default=False,
        help_text=_("Opened for an excluded vote that counts again; its own vote does not."),
    )
    excluded_at = models.DateTimeField(null=True, blank=True, editable=False)
    exclusion_reason = models.CharField(max_length=500, blank=True)
    excluded_by = optional(User, db_index=False)

    objects = PanelSeatQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            *AbstractSeat.rules(target="item", once="group_key"),
            check(
                "author_does_not_answer",
                Q(worker=None)
                | (Q(author=None) | ~Q(author=F("worker")))
                & (Q(other_author=None) | ~Q(other_author=F("worker"))),
                "The author of an item does not answer it.",
            ),
            check(
                "answered_has_a_vote",
                Q(answered_at=None, option=None)
                | Q(answered_at__isnull=False, option__isnull=False, worker__isnull=False),
                "An answered seat has a vote and a worker.",
            ),
            check(
                "vote_is_an_option",
                Q(option=None) | Q(option__gte=1, option__lte=F("order__len")),
                "A vote is one of the item's options.",
            ),
            value_constraint("fails", "", "sense", "support", "both"),
            value_constraint("report", "", "offensive", "no_sentence"),
            check(
                "reported_and_amended_have_a_vote",
                Q(answered_at__isnull=False) | Q(report="", amended_at=None),
                "Only an answered seat has a report or was amended.",
            ),
            check(
                "amended_had_another_vote",
                Q(amended_at=None, first_option=None)
                | Q(amended_at__isnull=False, first_option__isnull=False),
                "An amended vote was another one before.",
            ),
            check(
                "only_a_no_fails",
                Q(fails="") | Q(option=2),
                "Only what is answered with no fails something.",
            ),
            check(
                "excluded_has_a_vote_and_a_reason",
                Q(excluded_at=None, excluded_by=None, exclusion_reason="")
                | (
                    Q(excluded_at__isnull=False, excluded_by__isnull=False)
                    & Q(answered_at__isnull=False)
                    & ~Q(exclusion_reason="")
                ),
                "An excluded vote has a reason and a curator.",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="panels_panelseat_open",
                fields=["panel", "place", "number"],
                condition=Q(answered_at=None),
            ),
            models.Index(
                name="panels_panelseat_open_of_one",
                fields=["panel", "number", "place"],
                condition=Q(answered_at=None),
            ),
            models.Index(name="panels_panelseat_of_worker", fields=["worker", "panel"]),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of item {self.item_id}"


class ShownItem(models.Model):
    """An item that a worker has held a seat of; they see no other item of its group.

    For an item of a campaign, ``passed`` keeps them from validating the twin: they know a whole
    sentence, and validators answer from the local context first.
    """

    worker = reference(User, db_index=False)
    item = models.ForeignKey(PanelItem, on_delete=models.CASCADE, related_name="+")
    group_key = models.CharField(max_length=64)
    passed = models.OneToOneField(
        PassedSeat, null=True, on_delete=models.CASCADE, related_name="shown_item"
    )

    class Meta:
        constraints: ClassVar = [
            unique(
                "is_the_only_one",
                ["worker", "group_key"],
                "A person sees one item of a group.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} shown to {self.worker_id}"


class PanelVoteEvent(models.Model):
    """An entry of the audit log: a curator excluded or restored a vote. Never changed."""

    class Action(models.TextChoices):
        EXCLUDED = "excluded", _("vote excluded")
        RESTORED = "restored", _("vote restored")

    seat = reference(PanelSeat, "events")
    action = models.CharField(max_length=16, choices=Action)
    by = reference(User)
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [value_constraint("action", "excluded", "restored")]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.seat_id}"
