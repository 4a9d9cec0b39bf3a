"""Verdicts, and the audit log of everything that made or changed one."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Question, Twin
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check
from workers.models import User


class VerdictQuerySet(models.QuerySet["Verdict"]):
    def valid(self) -> Self:
        return self.filter(valid=True)


class Verdict(models.Model):
    """The result of a question's votes, under a named and versioned policy.

    If a curator decided instead, ``decided_by`` is that curator; the counts are still those of the
    votes.
    """

    question = models.OneToOneField(Question, on_delete=models.PROTECT, related_name="verdict")
    policy = models.CharField(max_length=16, choices=Campaign.Policy)
    version = models.PositiveSmallIntegerField()
    valid = models.BooleanField()
    reasons = models.JSONField(default=list, blank=True, help_text=_("Parts that failed."))
    counts = models.JSONField(default=dict, blank=True, help_text=_("Votes for each part."))
    decided_by = optional(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = VerdictQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            check(
                "says_why_not",
                (Q(valid=True) & Q(reasons=[])) | (Q(valid=False) & ~Q(reasons=[])),
                "A verdict is valid, or has reasons why it is not.",
            ),
        ]

    def __str__(self) -> str:
        return "valid" if self.valid else ", ".join(self.reasons)


class VerdictEvent(models.Model):
    """An entry of the audit log: an event that made or changed a question's verdict.

    Append-only: a database trigger refuses changes and deletions. ``before`` and ``after`` hold the
    verdict, or null where there was none; in events ``ABOUT_VOTES`` they hold the vote. Only texts
    about or by people who were erased are emptied.
    """

    class Action(models.TextChoices):
        DECIDED_BY_VOTES = "votes", _("decided by the votes")
        DECIDED_BY_CURATOR = "curator", _("decided by a curator")
        NOTED = "noted", _("vote recorded; the curator's decision stands")
        REOPENED = "reopened", _("reopened")
        UNDONE = "undone", _("action on many questions undone")
        ASKED_ONE_MORE = "one_more", _("another vote requested")
        RETURNED = "returned", _("returned to its author for revision")
        REPORT_SEEN = "report_seen", _("reports seen")
        ANSWERS_SWAPPED = "swapped", _("answers swapped")
        SUSPECTED = "suspected", _("offered as a likely label error")
        FLAGGED = "flagged", _("marked for review because of its words")
        VOTE_AMENDED = "amended", _("vote amended by its validator")
        VOTE_EXCLUDED = "excluded", _("vote excluded")
        VOTE_RESTORED = "restored", _("vote restored")

    ABOUT_VOTES = (Action.VOTE_AMENDED, Action.VOTE_EXCLUDED, Action.VOTE_RESTORED)

    question = reference(Question, "verdict_events")
    action = models.CharField(max_length=16, choices=Action)
    by = optional(User, help_text=_("Empty if the votes and the campaign's policy decided."))
    reason = models.CharField(max_length=500, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: question {self.question_id}"


class TwinReturn(models.Model):
    """A twin that a curator returned to its author, who may revise it once more."""

    twin = models.OneToOneField(Twin, on_delete=models.PROTECT, related_name="returned")
    by = reference(User)
    note = models.CharField(max_length=500, help_text=_("Message to the author."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            check("says_why", ~Q(note=""), "Tell the author what to change."),
        ]

    def __str__(self) -> str:
        return f"twin {self.twin_id} returned for revision"
