"""Judging: numbered seats, votes and verdicts."""

import uuid
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Question, Twin

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
        return self.filter(Q(author=None) | ~Q(author=worker), ~Exists(judged), ~Exists(passed))

    def free(self, *, now: Any) -> Self:
        """Seats that can be claimed: never taken, or taken under a lease that has ended."""
        return self.filter(voted_at=None).filter(Q(worker=None) | Q(leased_until__lte=now))

    def held(self, *, now: Any) -> Self:
        return self.filter(voted_at=None, worker__isnull=False, leased_until__gt=now)


class Seat(models.Model):
    """The right to give one of a question's votes.

    ::

        free ──claim──▶ leased ──vote──▶ voted
          ▲               │
          └─ return, or lease ended ─┘

    Campaign, twin and author are copied from the question, where they never change: so one row
    and its constraints decide who may sit here.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # No index of their own: each claim would write it anew, and the ones below serve as well.
    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    number = models.PositiveSmallIntegerField()
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
    # The question's id once more, where only the queue's index is sorted by it: sorted by the
    # question, the planner takes that column's own index and reads all that was judged before.
    place = models.GeneratedField(
        expression=models.F("question_id"),  # type: ignore[arg-type]
        output_field=models.BigIntegerField(),
        db_persist=True,
        editable=False,
    )
    local_at = models.DateTimeField(null=True, blank=True)
    local_option = models.PositiveSmallIntegerField(null=True, blank=True, validators=OPTION)
    voted_at = models.DateTimeField(null=True, blank=True)

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
                condition=Q(worker=None, leased_until=None, local_at=None, voted_at=None)
                | Q(worker__isnull=False, leased_until__isnull=False),
                violation_error_message="A taken seat has a worker and a lease.",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="validation_seat_open",
                fields=["campaign", "place", "number"],
                condition=Q(voted_at=None),
            ),
            models.Index(
                name="validation_seat_taken",
                fields=["worker", "campaign"],
                condition=Q(voted_at=None),
            ),
            models.Index(name="validation_seat_furthest", fields=["worker", "campaign", "place"]),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of question {self.question_id}"


class PassedSeat(models.Model):
    """A seat that a worker held and left without a vote.

    Who returned a seat, or saw its sentence and let the lease end, is ``barred`` from the twin:
    an answer from the local context alone is not to be had from them any more.
    """

    # Empty once the seat went with a twin that was withdrawn; who is barred stays so, and who
    # held it can still be told where it went.
    seat = models.ForeignKey(
        Seat, null=True, on_delete=models.SET_NULL, related_name="passed", db_index=False
    )
    seat_public_id = models.UUIDField(null=True, editable=False)
    twin = models.ForeignKey(Twin, on_delete=models.CASCADE, related_name="+", db_index=False)
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    barred = models.BooleanField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_noted_once",
                fields=["seat", "worker"],
                violation_error_message="A worker passes a seat once.",
            ),
        ]
        indexes: ClassVar = [models.Index(name="validation_passed", fields=["worker", "twin"])]

    def __str__(self) -> str:
        return f"{self.worker_id} passed {self.seat_id}"


class VoteQuerySet(models.QuerySet["Vote"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.filter(worker=user)


class Vote(models.Model):
    """One worker's judgement of one question; options are numbered as the twin's own."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="vote")
    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="votes", db_index=False
    )
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="votes"
    )
    option = models.PositiveSmallIntegerField(validators=OPTION)
    ambiguous = models.BooleanField()
    local_option = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=OPTION,
        help_text=_("Answer from the local context alone; empty means cannot tell."),
    )
    comment = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = VoteQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_cast_once",
                fields=["question", "worker"],
                violation_error_message="You have judged this question already.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_option_is_1_or_2",
                condition=Q(option__in=[1, 2])
                & (Q(local_option=None) | Q(local_option__in=[1, 2])),
                violation_error_message="An option is 1 or 2.",
            ),
        ]

    def __str__(self) -> str:
        return f"vote {self.public_id}"


class VerdictQuerySet(models.QuerySet["Verdict"]):
    def valid(self) -> Self:
        return self.filter(valid=True)


class Verdict(models.Model):
    """What the votes of a question say together, under a named and versioned policy."""

    question = models.OneToOneField(Question, on_delete=models.PROTECT, related_name="verdict")
    policy = models.CharField(max_length=16, choices=Campaign.Policy)
    version = models.PositiveSmallIntegerField()
    valid = models.BooleanField()
    reasons = models.JSONField(default=list, blank=True, help_text=_("Parts that failed."))
    counts = models.JSONField(default=dict, blank=True, help_text=_("Votes for each part."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = VerdictQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_says_why_not",
                condition=(Q(valid=True) & Q(reasons=[])) | (Q(valid=False) & ~Q(reasons=[])),
                violation_error_message="A verdict is valid, or says which parts failed.",
            ),
        ]

    def __str__(self) -> str:
        return "valid" if self.valid else ", ".join(self.reasons)
