"""Tables for human evaluations: seats with their votes, and what was shown to whom."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Twin
from evaluation.models.human import HumanEvaluation, HumanItem
from validation.models import (
    AbstractSeat,
    AbstractSeatQuerySet,
    PassedSeat,
    Seat,
    VerdictEvent,
)
from validation.models.abstract import none_of
from winoplatform.constraints import check, unique
from winoplatform.runs.columns import known
from workers.models import LedgerEntry
from workers.models.promised_pay import LATE


class HumanSeatQuerySet(AbstractSeatQuerySet["HumanSeat"]):
    def open_to(self, worker: Any) -> Self:
        """Seats that *worker* may hold: of groups that are new to them.

        Not of a twin that they wrote, validated, passed or reviewed, and of a group in which they
        have seen an item in any human evaluation only that item.
        """
        others = ShownItem.objects.filter(worker=worker, group_key=OuterRef("group_key"))
        others = others.filter(~Q(item=OuterRef("item")))
        return super().open_to(worker).unknown_to(worker).filter(none_of(others))

    def free(self, *, now: Any) -> Self:
        """Seats that can be claimed: idle ones whose vote would count."""
        return self.idle(now=now).filter(spare=False)

    def counted(self) -> Self:
        """Seats whose votes are used."""
        return self.filter(answered_at__isnull=False, excluded_at=None, spare=False)

    def promised(self, campaign: Campaign, now: datetime) -> Any:
        """Return an expression for what the waiting seats of a campaign's evaluations will pay.

        After the end of an evaluation only the seats that are still held can be answered, and so it
        is with spare seats.
        """
        held = Q(worker__isnull=False, leased_until__gt=now - LATE)
        asked = Q(evaluation__status__in=HumanEvaluation.ACTIVE, spare=False)
        return self.waiting().filter(asked | held).cost(campaign, F("evaluation__reward"))

    def unknown_to(self, worker: Any) -> Self:
        """Seats of twins that *worker* did not write, validate, pass or review.

        The block that a seat of a human evaluation itself sets is left out (``ShownItem``).
        """
        validated = Seat.objects.filter(worker=worker, twin=OuterRef("twin"))
        passed = PassedSeat.objects.filter(worker=worker, twin=OuterRef("twin"), blocked=True)
        passed = passed.filter(shown_item=None)
        reviewed = VerdictEvent.objects.filter(by=worker, question__twin=OuterRef("twin"))
        unknown = self.filter(Q(author=None) | ~Q(author=worker))
        for known_by in (validated, passed, reviewed.order_by()):
            unknown = unknown.filter(none_of(known_by))
        return unknown


class HumanSeat(AbstractSeat):
    """The right to cast one vote on an item, and the vote once it is cast.

    Twin and author are copied from the question, where they never change: so the constraints of
    one table decide who may hold a seat.
    """

    ONCE = "group_key"
    CAMPAIGN = "evaluation__campaign"
    KIND = LedgerEntry.Kind.EVALUATION
    EMPTY: ClassVar = {"option": None}
    LOST = (
        "This question is no longer yours: its time ran out, and another person may get it. Get "
        "the next one."
    )

    evaluation = models.ForeignKey(
        HumanEvaluation, on_delete=models.CASCADE, related_name="seats", db_index=False
    )
    item = models.ForeignKey(
        HumanItem, on_delete=models.CASCADE, related_name="seats", db_index=False
    )
    group_key = models.CharField(
        max_length=64, help_text=_("The same for a group in every human evaluation.")
    )
    twin = models.ForeignKey(
        Twin, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    # Random, and never sent to clients.
    order = ArrayField(
        models.PositiveSmallIntegerField(), help_text=_("The item’s options as they are shown.")
    )
    option = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("The vote, numbered as in the item.")
    )
    spare = models.BooleanField(
        default=False,
        help_text=_("Opened for an excluded vote that counts again; its own vote does not."),
    )
    excluded_at = models.DateTimeField(null=True, blank=True, editable=False)
    exclusion_reason = models.CharField(max_length=500, blank=True)
    excluded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )

    objects = HumanSeatQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            *AbstractSeat.rules(target="item", once="group_key"),
            check(
                "author_does_not_answer",
                Q(author=None) | Q(worker=None) | ~Q(author=F("worker")),
                "The author of a twin does not answer it.",
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
                name="evaluation_humanseat_open",
                fields=["evaluation", "place", "number"],
                condition=Q(answered_at=None),
            ),
            models.Index(name="evaluation_humanseat_of_worker", fields=["worker", "evaluation"]),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of item {self.item_id}"


class ShownItem(models.Model):
    """An item that a worker has held a seat of; they see no other item of its group.

    For an item of a campaign, ``passed`` keeps them from validating the twin: they know a whole
    sentence, and validators answer from the local context first.
    """

    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    item = models.ForeignKey(HumanItem, on_delete=models.CASCADE, related_name="+")
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


class HumanVoteEvent(models.Model):
    """An entry of the audit log: a curator excluded or restored a vote. Never changed."""

    class Action(models.TextChoices):
        EXCLUDED = "excluded", _("vote excluded")
        RESTORED = "restored", _("vote restored")

    seat = models.ForeignKey(HumanSeat, on_delete=models.PROTECT, related_name="events")
    action = models.CharField(max_length=16, choices=Action)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [known("action", "excluded", "restored")]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.seat_id}"
