"""Cases for review, actions on many questions, and the facts that lists are filtered by."""

import uuid
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Collate
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Question, Twin
from winoplatform.db.columns import reference
from winoplatform.db.constraints import check, unique
from workers.models import User

KEY_BITS = 40  # a rank has the next 15


class CaseQuerySet(models.QuerySet["Case"]):
    def in_campaign(self, campaign: Campaign) -> Self:
        return self.filter(campaign=campaign)

    def active(self) -> Self:
        """Cases of twins that are neither withdrawn nor revised."""
        return self.filter(question__twin__withdrawn_at=None)

    def by_rank(self) -> Self:
        """Order by the review queue: highest rank first, then the newest question."""
        return self.order_by("-place")


class Case(models.Model):
    """Why a question is in the review queue; most questions have no case.

    ``rank`` is its priority; see ``core/ranks.py``. ``place`` is the rank and,
    below it, the question's key: one number that orders the review queue, and a page's cursor.
    Campaign and domain are copied from the question's twin, where they never change, so one index
    serves: at 100,000 questions a query of what makes the rank takes 20 times as long (decision
    0041).

    ::

        open ──a curator decides──▶ closed ──a report, an appeal upheld, or an offer──▶ open
          ├──reports looked at, and nothing else is contested──▶ closed
          └──returned for revision──▶ waits for its author
    """

    question = models.OneToOneField(
        Question, primary_key=True, on_delete=models.PROTECT, related_name="case"
    )
    campaign = reference(Campaign, db_index=False)
    domain = models.CharField(max_length=16, choices=Twin.Domain)
    rank = models.PositiveSmallIntegerField(default=0)
    place = models.BigIntegerField(default=0)
    reports = models.PositiveSmallIntegerField(default=0)
    # How many of the reports a curator has seen: these no longer count for its place.
    reports_seen = models.PositiveSmallIntegerField(default=0)
    appealed = models.BooleanField(default=False)
    # Whether a curator offered it as a likely label error, by a model's training.
    suspected = models.BooleanField(default=False)
    # Whether words of its text may be obscene or hateful (``collection.core.advice.texts``).
    flagged = models.BooleanField(default=False, db_default=False)
    returned = models.BooleanField(default=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        indexes: ClassVar[list[Any]] = [
            models.Index(
                name="validation_case_review_queue",
                fields=["campaign", "-place"],
                condition=Q(closed_at=None, returned=False),
            ),
            models.Index(name="validation_case_listed", fields=["campaign", "-place"]),
        ]

    def __str__(self) -> str:
        return f"case {self.rank}: question {self.question_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.place = (self.rank << KEY_BITS) + self.question_id
        super().save(*args, **kwargs)

    @property
    def new_reports(self) -> int:
        """The number of reports that no curator has seen."""
        return max(self.reports - self.reports_seen, 0)

    @property
    def n_reasons(self) -> int:
        """How many reasons for review end at once when a curator has seen them."""
        return sum(map(bool, (self.new_reports, self.suspected, self.flagged)))


class BulkAction(models.Model):
    """An action on chosen questions, with the revision of each that the curator has seen.

    ::

        prepared ──confirm──▶ confirmed: each item is done or refused, once
                                  └──undo──▶ each done item is undone, or stays if it has changed
    """

    class Kind(models.TextChoices):
        VALID = "valid", _("Decide: valid")
        INVALID = "invalid", _("Decide: not valid")
        RETURN = "return", _("Return for revision")
        EXCLUDE = "exclude", _("Exclude")
        GOLD = "gold", _("Use as control questions")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=Kind)
    by = reference(User)
    note = models.CharField(max_length=500, blank=True)
    reasons = ArrayField(models.CharField(max_length=32), default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(null=True, blank=True, editable=False)
    undone_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "kind_is_known",
                Q(kind__in=["valid", "invalid", "return", "exclude", "gold"]),
                "This action is not known.",
            ),
            check(
                "undone_was_confirmed",
                Q(undone_at=None) | Q(confirmed_at__isnull=False),
                "Only a confirmed action can be undone.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.public_id}"


class BulkItem(models.Model):
    """One question of a bulk action, and what came of it."""

    class Outcome(models.TextChoices):
        WAITING = "", _("waiting")
        DONE = "done", _("done")
        REFUSED = "refused", _("refused")
        UNDONE = "undone", _("undone")
        STAYS = "stays", _("not undone")

    action = models.ForeignKey(BulkAction, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    revision = models.CharField(max_length=64, help_text=_("As the curator has seen it."))
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True, default=Outcome.WAITING)
    message = models.CharField(
        max_length=500, blank=True, help_text=_("Why it was refused, or not undone.")
    )
    record = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("What an undo restores, and the revision that it must still have."),
    )

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            unique("is_numbered_once", ["action", "number"], "Each number has one question."),
            unique("is_acted_on_once", ["action", "question"], "A question is in it once."),
            check(
                "refused_says_why",
                (Q(outcome__in=["refused", "stays"]) & ~Q(message=""))
                | (Q(outcome__in=["", "done", "undone"]) & Q(message="")),
                "An item that was refused or not undone has a reason, and no other has one.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: question {self.question_id}"


class QuestionFacts(models.Model):
    """A question's state, reasons, votes and people, copied from five tables by triggers.

    Nothing else writes it. At 100,000 questions a count by facets over the five tables takes
    several times as long as over these rows (decision 0041).
    """

    question = models.OneToOneField(
        Question, primary_key=True, on_delete=models.CASCADE, related_name="facts"
    )
    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    twin = models.ForeignKey(Twin, on_delete=models.CASCADE, related_name="+", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    domain = models.CharField(max_length=16, choices=Twin.Domain)
    anchor = models.CharField(max_length=120, help_text="Its key: see Twin.anchor_key.")
    state = models.CharField(max_length=16, help_text="See selectors.states.QuestionState.")
    reasons = ArrayField(models.TextField(), help_text="Of its verdict, sorted.")
    # Votes that a verdict counts: no answers to gold questions, none that was excluded.
    n_votes = models.PositiveSmallIntegerField()
    n_right = models.PositiveSmallIntegerField(help_text="Votes for the author's answer.")
    validators = ArrayField(models.BigIntegerField(), help_text="Who gave these votes, sorted.")

    class Meta:
        indexes: ClassVar = [
            # None has a column that votes and verdicts change: their updates stay within a page.
            models.Index(name="validation_facts_listed", fields=["campaign", "-question"]),
            models.Index(name="validation_facts_of_twin", fields=["twin"]),
            models.Index(
                "campaign",
                Collate("anchor", "C"),
                F("question").desc(),
                name="validation_facts_by_anchor",
            ),
        ]

    def __str__(self) -> str:
        return f"facts of question {self.question_id}"
