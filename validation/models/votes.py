"""Votes: one worker's answers to one question."""

import uuid
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Question, of_member
from validation.models.seats import OPTION, Seat
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from workers.models import User

COUNTS_SQL = "NOT v.is_gold AND v.excluded_at IS NULL"
"""That a vote ``v`` counts: as `that_count`, for statements that no query set can say."""


def that_count(path: str = "") -> Q:
    """Return that votes count for a verdict: no answers to gold questions, none excluded.

    *path* leads to the votes from other rows, such as ``votes__``.
    """
    return Q(**{f"{path}is_gold": False, f"{path}excluded_at": None})


class VoteQuerySet(models.QuerySet["Vote"]):
    def visible_to(self, user: Any) -> Self:
        return self.filter(Q(worker=user) | of_member(user, "seat__campaign"))

    def counting(self) -> Self:
        """Votes that a verdict counts."""
        return self.filter(that_count())


class Vote(models.Model):
    """One worker's vote on one question; options are numbered as in the twin.

    An *excluded* vote is paid but not used (a soft rejection); another seat is opened in its place.
    A vote may be amended until its worker answers the next question.
    """

    class Report(models.TextChoices):
        NONE = "", _("nothing")
        OFFENSIVE = "offensive", _("it is offensive")
        NO_SENTENCE = "no_sentence", _("it is not a sentence")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="vote")
    question = reference(Question, "votes", db_index=False)
    worker = reference(User, "votes")
    option = models.PositiveSmallIntegerField(validators=OPTION)
    ambiguous = models.BooleanField()
    local_option = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=OPTION,
        help_text=_("Answer from the local context; empty means cannot tell."),
    )
    comment = models.CharField(max_length=500, blank=True)
    report = models.CharField(max_length=16, choices=Report, blank=True, default=Report.NONE)
    is_gold = models.BooleanField(
        default=False,
        help_text=_("An answer to a gold question, which does not count for a verdict."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    amended_at = models.DateTimeField(null=True, blank=True, editable=False)
    excluded_at = models.DateTimeField(null=True, blank=True, editable=False)
    exclusion_reason = models.CharField(
        max_length=500, blank=True, help_text=_("Message to the worker.")
    )
    excluded_by = optional(User, db_index=False)

    is_new = False  # whether ``services.cast_vote`` has just stored it

    objects = VoteQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            unique(
                "is_cast_once", ["question", "worker"], "You have already validated this question."
            ),
            check(
                "option_is_1_or_2",
                Q(option__in=[1, 2]) & (Q(local_option=None) | Q(local_option__in=[1, 2])),
                "An option is 1 or 2.",
            ),
            check(
                "is_excluded_for_a_reason",
                Q(excluded_at=None, exclusion_reason="")
                | (Q(excluded_at__isnull=False) & ~Q(exclusion_reason="")),
                "An excluded vote has a reason, which its worker reads.",
            ),
        ]
        indexes: ClassVar = [
            # Curators look at these first: few rows of many.
            models.Index(
                name="validation_vote_reported", fields=["question"], condition=~Q(report="")
            ),
            models.Index(
                name="validation_vote_excluded",
                fields=["id"],
                condition=Q(excluded_at__isnull=False),
            ),
            models.Index(
                name="validation_vote_excluded_of",
                fields=["worker", "id"],
                condition=Q(excluded_at__isnull=False),
            ),
            models.Index(
                name="validation_vote_workers_gold",
                fields=["worker", "id"],
                condition=Q(is_gold=True),
            ),
        ]

    def __str__(self) -> str:
        return f"vote {self.public_id}"
