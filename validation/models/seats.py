"""Seats: the right to cast one vote, its holder, and workers who left it."""

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import (
    Case,
    Count,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Concat, Greatest

from collection.models import Campaign, Question, Twin, of_member
from collection.models.expressions import FairCoin
from validation.models.abstract import AbstractSeat, AbstractSeatQuerySet, none_of
from validation.models.verdicts import Verdict
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from workers.models import LedgerEntry, User
from workers.models.promised_pay import LATE, MONEY, NOTHING

OPTION = (MinValueValidator(1), MaxValueValidator(2))
# The fields of a twin that are read with a seat: validating needs no others.
OF_TWIN = {
    *["id", "public_id", "campaign", "author", "domain", "option1", "option2", "withdrawn_at"],
    *["votes_per_question", "verdict_policy"],
}
NOT_READ = [f"twin__{f.name}" for f in Twin._meta.concrete_fields if f.name not in OF_TWIN]


class SeatQuerySet(AbstractSeatQuerySet["Seat"]):
    def visible_to(self, user: Any) -> Self:
        return self.filter(Q(worker=user) | of_member(user))

    def open_to(self, worker: Any) -> Self:
        """Seats that *worker* may hold: not of a twin they wrote, validated or passed."""
        passed = PassedSeat.objects.filter(worker=worker, twin=OuterRef("twin"), blocked=True)
        others = super().open_to(worker).filter(none_of(passed))
        return others.filter(Q(author=None) | ~Q(author=worker))

    def free(self, *, now: Any) -> Self:
        """Seats that can be claimed: never claimed, or with a lease that has ended.

        A gold question's seat is made for one worker and not free for others. Where a curator has
        decided, holders may finish, but seats are not offered again.
        """
        decided = Verdict.objects.filter(question=OuterRef("question"), decided_by__isnull=False)
        return self.numbered().idle(now=now).filter(Q(worker=None) | none_of(decided))

    def numbered(self) -> Self:
        """Seats whose votes count for a verdict: all but those of gold questions."""
        return self.filter(gold=None)

    def done(self) -> Self:
        """Seats with a vote; not of an import, which stores work that was paid elsewhere."""
        imported = Concat(Value("imported-"), F("vote__worker__public_id"))
        return self.filter(vote__isnull=False).exclude(vote__worker__username=imported)

    def promised(self, campaign: Campaign, now: datetime) -> Any:
        """Return an expression for the most that the campaign's open seats will pay.

        A claimed seat pays the reward promised at its claim, a free one the current rate: so a
        claimed seat counts with the higher of the two, as it may become free again. It counts after
        its lease too, since a late answer is paid, until its worker leaves it. A closed campaign
        hands out no free seats and takes no late answers.
        """
        is_closed = campaign.status == Campaign.Status.CLOSED
        free = NOTHING if is_closed else campaign.reward_vote
        waiting = self.waiting()
        taken = waiting.filter(worker__isnull=False)
        if is_closed:
            taken = taken.filter(leased_until__gt=now - LATE)
        # All seats are counted from an index; only the few claimed ones are read individually.
        as_free = waiting.numbered().in_campaign(campaign).cost_each(free)
        return as_free + taken.cost(campaign, _beyond(campaign, free))

    def cost_each(self, reward: Decimal) -> Any:
        """Return an expression for the number of these seats, of one campaign, times *reward*."""
        counted = self.order_by().values("campaign").annotate(n=Count("*")).values("n")
        number = Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))
        return ExpressionWrapper(number * Value(reward, output_field=MONEY), output_field=MONEY)

    def with_question(self) -> Self:
        """Seats with their question and twin."""
        return self.select_related("question", "twin").defer(*NOT_READ)

    def with_campaign(self) -> Self:
        """As ``with_question``, and the campaign."""
        return self.with_question().select_related("campaign").defer("campaign__blocking")


def _beyond(campaign: Campaign, free: Decimal) -> Case:
    """Return the cost of a claimed seat beyond the rate at which numbered ones are counted."""
    promised = Coalesce(F("reward"), Value(campaign.reward_vote, output_field=MONEY))
    rate = Value(free, output_field=MONEY)
    beyond = Greatest(promised, rate) - rate
    return Case(When(gold=None, then=beyond), default=promised, output_field=MONEY)


class Seat(AbstractSeat):
    """The right to cast one of a question's votes.

    Campaign, twin and author are copied from the question, where they never change: so the
    constraints of one table decide who may hold a seat. A gold question's seat has no number: its
    vote does not count for a verdict, and it is deleted when its worker leaves it.
    """

    ONCE = "twin"
    KIND: ClassVar = Case(
        When(vote__is_gold=True, then=Value(LedgerEntry.Kind.GOLD.value)),
        default=Value(LedgerEntry.Kind.VOTE.value),
    )
    UNIT, DOER = "vote__public_id", "vote__worker"
    EMPTY: ClassVar = {"local_at": None, "local_option": None}
    LOST = (
        "This question is no longer yours: its time ran out, and another validator may get it. "
        "Get the next one."
    )

    # No separate indexes: each claim would update them, and the indexes below are sufficient.
    question = reference(Question, "seats", db_index=False)
    number = models.PositiveSmallIntegerField(null=True, blank=True)  # type: ignore[assignment]
    gold = optional("validation.GoldQuestion", "seats", db_index=False)
    campaign = reference(Campaign, db_index=False)
    twin = reference(Twin, "seats", db_index=False)
    author = optional(User, db_index=False)
    # Random, and never sent to clients: the stored order of options reveals the answer where
    # writers put the answer of the first sentence into the first option.
    swapped = models.BooleanField(
        db_default=FairCoin(),
        editable=False,
        help_text="Whether the second option is shown first.",
    )
    local_at = models.DateTimeField(null=True, blank=True)
    local_option = models.PositiveSmallIntegerField(null=True, blank=True, validators=OPTION)

    opened: bool  # annotations of ``services.validating.statements``
    from_crowd: bool
    asked_at: datetime

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            *AbstractSeat.rules(target="question", once="twin"),
            check(
                "author_does_not_validate",
                Q(author=None) | Q(worker=None) | ~Q(author=models.F("worker")),
                "The author of a twin does not validate it.",
            ),
            check(
                "begun_has_a_worker",
                Q(local_at=None) | Q(worker__isnull=False),
                "A seat with a local answer has a worker.",
            ),
            check(
                "counts_or_is_gold",
                Q(number__isnull=False, gold=None)
                | Q(number=None, gold__isnull=False, worker__isnull=False),
                "A seat has a number, or is a worker's gold question.",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="validation_seat_open",
                fields=["campaign", "place", "number"],
                condition=Q(answered_at=None, gold=None),
            ),
            models.Index(
                name="validation_seat_taken",
                fields=["worker", "campaign"],
                condition=Q(answered_at=None, worker__isnull=False),
            ),
            # One validator's work in a campaign: how far in the queue, and when.
            models.Index(
                name="validation_seat_furthest",
                fields=["worker", "campaign", "place"],
                condition=Q(answered_at__isnull=False),
            ),
            models.Index(
                name="validation_seat_latest",
                fields=["worker", "campaign", "answered_at"],
                condition=Q(answered_at__isnull=False),
            ),
            # For placing a new twin: behind its author's last one and behind begun questions.
            models.Index(
                name="validation_seat_authors_last",
                fields=["author", "campaign", "place"],
                condition=Q(number=1),
            ),
            models.Index(
                name="validation_seat_begun",
                fields=["campaign", "place"],
                condition=Q(number=1, answered_at__isnull=False),
            ),
            models.Index(
                name="validation_seat_gold", fields=["gold"], condition=Q(gold__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of question {self.question_id}"


class PassedSeat(models.Model):
    """A seat that a worker held and left without a vote.

    A worker who returned a seat, or saw its sentence and let the lease end, is ``blocked`` from the
    twin: they can no longer answer from the local context only.
    """

    # Null once the seat is deleted; the block remains, and its former holder can still be told
    # what happened to it.
    seat = models.ForeignKey(
        Seat, null=True, on_delete=models.SET_NULL, related_name="passed", db_index=False
    )
    seat_public_id = models.UUIDField(null=True, editable=False)
    twin = models.ForeignKey(Twin, on_delete=models.CASCADE, related_name="+", db_index=False)
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    blocked = models.BooleanField()
    withdrawn = models.BooleanField(
        default=False, help_text="Whether the twin was withdrawn from validation."
    )
    report = models.CharField(
        max_length=16, blank=True, help_text="The problem its validator reports: see Vote.Report."
    )
    reported_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Set with a report: a gold question's seat is deleted, but the report must remain.
    question = models.ForeignKey(
        Question, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )

    class Meta:
        constraints: ClassVar = [
            unique("is_noted_once", ["seat", "worker"], "A worker passes a seat once."),
        ]
        indexes: ClassVar = [
            models.Index(name="validation_passed", fields=["worker", "twin"]),
            models.Index(
                name="validation_passed_reported", fields=["question"], condition=~Q(report="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker_id} passed {self.seat_id}"
