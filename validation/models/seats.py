"""Seats: the right to give one vote, who holds it, and who has let it go."""

import uuid
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import OuterRef, Q, Subquery
from django.db.models.lookups import IsNull

from collection.models import Campaign, Question, Twin
from collection.models.expressions import FairCoin

OPTION = (MinValueValidator(1), MaxValueValidator(2))


class SeatQuerySet(models.QuerySet["Seat"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.filter(worker=user)

    def in_campaign(self, campaign: Campaign) -> Self:
        return self.filter(campaign=campaign)

    def open_to(self, worker: Any) -> Self:
        """Seats that *worker* may sit in: of no twin they wrote, judged or passed."""
        judged = Seat.objects.filter(worker=worker, twin=OuterRef("twin"))
        passed = PassedSeat.objects.filter(worker=worker, twin=OuterRef("twin"), barred=True)
        # Looked up seat by seat: of an EXISTS the database reads all that the worker has had first.
        none = [IsNull(Subquery(rows.values("pk")[:1]), True) for rows in (judged, passed)]
        return self.filter(Q(author=None) | ~Q(author=worker), *none)

    def free(self, *, now: Any) -> Self:
        """Seats that can be claimed: never taken, or taken under a lease that has ended.

        A gold question's seat is made for one worker and free for nobody else. Where a curator has
        decided meanwhile, whoever sat there was let end; nobody else is asked.
        """
        lapsed = Q(leased_until__lte=now, question__verdict__decided_by=None)
        return self.numbered().filter(answered_at=None).filter(Q(worker=None) | lapsed)

    def numbered(self) -> Self:
        """Seats whose votes a verdict counts: all but those of gold questions."""
        return self.filter(gold=None)

    def held(self, *, now: Any) -> Self:
        return self.filter(answered_at=None, worker__isnull=False, leased_until__gt=now)


class Seat(models.Model):
    """The right to give one of a question's votes.

    ::

        free ──claim──▶ leased ──vote──▶ voted
          ▲               │
          └─ return, or lease ended ─┘

    Campaign, twin and author are copied from the question, where they never change: so one row
    and its constraints decide who may sit here. A seat of a gold question has no number: its
    answer counts for no verdict, and it goes when its worker leaves it.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # No index of their own: each claim would write it anew, and the ones below serve as well.
    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    gold = models.ForeignKey(
        "validation.GoldQuestion",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="seats",
        db_index=False,
    )
    campaign = models.ForeignKey(
        Campaign, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    twin = models.ForeignKey(Twin, on_delete=models.PROTECT, related_name="seats", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="seats",
        db_index=False,
    )
    leased_until = models.DateTimeField(null=True, blank=True)
    # Never sent, and computed from nothing that is: the stored order tells the answer wherever
    # writers put the answer of the first sentence into the first option.
    swapped = models.BooleanField(
        db_default=FairCoin(),
        editable=False,
        help_text="Whether the second option is shown first.",
    )
    place = models.BigIntegerField(default=0, help_text="Order in the queue; see services.places.")
    claimed_at = models.DateTimeField(null=True, blank=True)
    reward = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text="What the vote pays, as promised when the seat was taken.",
    )
    local_at = models.DateTimeField(null=True, blank=True)
    local_option = models.PositiveSmallIntegerField(null=True, blank=True, validators=OPTION)
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_numbered",
                fields=["question", "number"],
                violation_error_message="A question has each seat once.",
            ),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_worker_judges_one_of_twins",
                fields=["twin", "worker"],
                violation_error_message="A worker judges one of two twins, once.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_author_does_not_judge",
                condition=Q(author=None) | Q(worker=None) | ~Q(author=models.F("worker")),
                violation_error_message="The author of a twin does not judge it.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_taken_has_lease_or_vote",
                condition=Q(worker=None, leased_until=None, local_at=None, answered_at=None)
                | Q(worker__isnull=False, leased_until__isnull=False),
                violation_error_message="A taken seat has a worker and a lease.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_counts_or_is_gold",
                condition=Q(number__isnull=False, gold=None)
                | Q(number=None, gold__isnull=False, worker__isnull=False),
                violation_error_message="A seat has a number, or is one worker's gold question.",
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
            # What one judge has done here: how far in the queue, and when.
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
            # Where the next twin is placed: behind its author's last, behind what was begun.
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

    Who returned a seat, or saw its sentence and let the lease end, is ``barred`` from the twin:
    an answer from the local context alone is not to be had from them any more.
    """

    # Empty once the seat itself has gone; who is barred stays so, and who held it can still be
    # told where it went.
    seat = models.ForeignKey(
        Seat, null=True, on_delete=models.SET_NULL, related_name="passed", db_index=False
    )
    seat_public_id = models.UUIDField(null=True, editable=False)
    twin = models.ForeignKey(Twin, on_delete=models.CASCADE, related_name="+", db_index=False)
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    barred = models.BooleanField()
    withdrawn = models.BooleanField(
        default=False, help_text="Whether the twin was taken out of the judges' hands."
    )
    report = models.CharField(
        max_length=16, blank=True, help_text="What its judge says is wrong: see Vote.Report."
    )
    reported_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Of a report: a gold question's seat goes, and what was wrong with the question must not.
    question = models.ForeignKey(
        Question, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_noted_once",
                fields=["seat", "worker"],
                violation_error_message="A worker passes a seat once.",
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="validation_passed", fields=["worker", "twin"]),
            models.Index(
                name="validation_passed_reported", fields=["question"], condition=~Q(report="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker_id} passed {self.seat_id}"
