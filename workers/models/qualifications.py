"""Eligibility for work: qualifications for one campaign, pauses for all of them."""

import uuid
from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from workers.models.accounts import User
from workers.models.ledger import LedgerEntry


class QualificationQuerySet(models.QuerySet["Qualification"]):
    def with_pay(self) -> Self:
        """With ``is_paid``: whether the ledger has an entry for the exercise; 0 has none."""
        entries = LedgerEntry.objects.filter(
            worker=OuterRef("worker"),
            kind=LedgerEntry.Kind.TRAINING,
            unit=Cast(OuterRef("public_id"), models.CharField()),
        )
        return self.annotate(is_paid=Exists(entries))


class Qualification(models.Model):
    """Whether a worker has shown that they can do one kind of work of a campaign.

    ::

        started ──enough right──▶ passed
           └──last attempt fails──▶ failed
    """

    class Skill(models.TextChoices):
        WRITE = "write", _("write")
        VALIDATE = "validate", _("validate")
        FORMALISE = "formalise", _("formalise")

    WITH_ITEMS: ClassVar = [(skill.value, skill.label) for skill in (Skill.WRITE, Skill.VALIDATE)]
    """The skills whose exercise has items with choices."""

    class Status(models.TextChoices):
        STARTED = "started", _("started")
        PASSED = "passed", _("passed")
        FAILED = "failed", _("failed")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    worker = reference(User, "qualifications")
    scope = models.UUIDField(help_text=_("Public id of the campaign."))
    skill = models.CharField(max_length=16, choices=Skill)
    status = models.CharField(max_length=16, choices=Status, default=Status.STARTED)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    trained_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the training was done, if there is one.")
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    reward = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        help_text=_("Pay for the exercise, as promised when it was submitted."),
    )

    is_paid: bool  # set by ``with_pay``

    objects = QualificationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            unique(
                "is_had_once",
                ["worker", "scope", "skill"],
                "A worker has one qualification of a kind per campaign.",
            ),
            check(
                "is_decided_once_ended",
                Q(status="started", decided_at=None)
                | Q(status__in=["passed", "failed"], decided_at__isnull=False),
                "A qualification has a date once it is passed or failed.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_skill_display()}: {self.get_status_display()}"


class Attempt(models.Model):
    """One attempt at a qualification's exercise.

    ``answers`` lists each item asked and the choice made, in the item's own numbering.
    """

    qualification = reference(Qualification, "attempts")
    number = models.PositiveSmallIntegerField()
    answers = models.JSONField(help_text=_("For each item asked: its id, the choice (from 1)."))
    n_right = models.PositiveSmallIntegerField()
    n_items = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["qualification", "number"]
        constraints: ClassVar = [
            unique("is_numbered", ["qualification", "number"], "An attempt has each number once."),
            check(
                "counts_within_items",
                Q(n_right__lte=models.F("n_items")),
                "There cannot be more right answers than items.",
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number}: {self.n_right} of {self.n_items}"


class PauseQuerySet(models.QuerySet["Pause"]):
    def open(self) -> Self:
        return self.filter(ended_at=None)


class Pause(models.Model):
    """A period in which a worker gets no new work, with a reason shown to the worker."""

    worker = reference(User, "pauses")
    reason = models.CharField(max_length=500)
    by = optional(User, help_text=_("The curator; empty if the platform paused the worker."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = PauseQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            unique(
                "is_open_once",
                ["worker"],
                "This worker is paused already.",
                condition=Q(ended_at=None),
            ),
            check("has_a_reason", ~Q(reason=""), "A pause has a reason that the worker can read."),
        ]

    def __str__(self) -> str:
        return self.reason
