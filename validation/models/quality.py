"""Gold questions, notices to workers about their work, and appeals."""

import uuid
from functools import reduce
from operator import or_
from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Question, Twin
from collection.models.expressions import SentenceKey
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from workers.models import User


class PublishedSentence(models.Model):
    """A sentence of a release or of a public reference set, in whatever campaign it was written.

    A row is added before the files can be read, and stays. Rows are sentences, not questions: the
    same sentence written or imported elsewhere, also later, is as public.
    """

    key = models.CharField(max_length=32, help_text="See SentenceKey.")
    is_answered = models.BooleanField(help_text="Whether its answer is public, too.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            unique("is_noted_once", ["key"], "This sentence is noted as published already."),
        ]

    def __str__(self) -> str:
        return self.key


def is_public(twin: str) -> Q:
    """Return a condition that a twin is public with its answers; *twin* is a path from the row.

    That of one question gives away the other's: so both are public as soon as one is, and so are
    those of the next two revisions, which have nearly the same text.
    """
    keyed = Question.objects.order_by().alias(key=SentenceKey("sentence"))
    noted = PublishedSentence.objects.filter(key=OuterRef("key"))
    texts = (twin, f"{twin}__revises", f"{twin}__revises__revises")
    noted_ones = keyed.filter(Exists(noted))
    released = [Q(Exists(noted_ones.filter(twin=OuterRef(text)))) for text in texts]
    return reduce(or_, released, Q(**{f"{twin}__origin": Twin.Origin.PUBLISHED}))


class GoldQuerySet(models.QuerySet["GoldQuestion"]):
    def in_use(self) -> Self:
        """Gold questions that may be asked: not retired, and not public."""
        return self.filter(retired_at=None).exclude(is_public("question__twin"))

    def out_of_use(self) -> Self:
        return self.exclude(pk__in=GoldQuestion.objects.in_use().values("pk"))


class GoldQuestion(models.Model):
    """A question with a known answer, hidden among the questions that validators are asked.

    It already has a verdict; the right vote is the author's answer, found unambiguous.
    """

    class Origin(models.TextChoices):
        GROWN = "grown", _("all its validators agreed")
        CHOSEN = "chosen", _("chosen by a curator")

    class Retirement(models.TextChoices):
        CURATOR = "curator", _("retired by a curator")
        DOUBT = "doubt", _("its answer is in doubt")
        PUBLIC = "public", _("public, in a release or its source data set")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = reference(Campaign, "golds")
    question = models.OneToOneField(Question, on_delete=models.PROTECT, related_name="gold")
    origin = models.CharField(max_length=16, choices=Origin)
    created_by = optional(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True)
    retired_for = models.CharField(
        max_length=16,
        choices=Retirement,
        blank=True,
        db_default="",
        default="",
        help_text=_("Empty while in use, or if retired before reasons were recorded."),
    )

    objects = GoldQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "is_retired_for_a_reason",
                Q(retired_for="") | Q(retired_at__isnull=False),
                "Only a retired gold question has a reason for retirement.",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="validation_gold_in_use", fields=["campaign"], condition=Q(retired_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"gold: question {self.question_id}"


class QualityNotice(models.Model):
    """A notice to a worker about their work.

    Either about their answers to gold questions, without naming these::

        warning ──answers stay wrong──▶ pause (``workers.Pause``, without a curator)

    Or about a curator's action: ``unit`` names the vote or the twin, ``text`` is the curator's
    message.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        PAUSE = "pause", _("pause")
        VOTE_EXCLUDED = "vote_excluded", _("vote excluded")
        RETURNED = "returned", _("twin returned for revision")

    OF_GOLD = (Kind.WARNING, Kind.PAUSE)
    OF_CURATORS = (Kind.VOTE_EXCLUDED, Kind.RETURNED)

    worker = reference(User, "quality_notices")
    campaign = reference(Campaign)
    kind = models.CharField(max_length=16, choices=Kind)
    n_right = models.PositiveSmallIntegerField(default=0)
    n_answers = models.PositiveSmallIntegerField(default=0)
    unit = models.CharField(
        max_length=64, blank=True, help_text=_("Public id of the vote or twin.")
    )
    text = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "counts_within_answers",
                Q(n_right__lte=F("n_answers")),
                "The number of right answers is at most the number of answers.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} to {self.worker_id}"


class AppealQuerySet(models.QuerySet["Appeal"]):
    def open(self) -> Self:
        return self.filter(status=Appeal.Status.OPEN)

    def unread(self) -> Self:
        """Answered appeals whose worker has not read the answer."""
        return self.exclude(status=Appeal.Status.OPEN).filter(seen_at=None)


class Appeal(models.Model):
    """A worker's request that a curator reviews a decision about their work.

    ::

        open ──▶ upheld
          └────▶ declined
    """

    class Subject(models.TextChoices):
        QUESTION = "question", _("the verdict on a question I wrote")
        VOTE = "vote", _("an excluded vote of mine")
        PAUSE = "pause", _("my pause")

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        UPHELD = "upheld", _("upheld")
        DECLINED = "declined", _("declined")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    worker = reference(User, "appeals")
    campaign = optional(Campaign, help_text=_("Whose work it is about; a pause is of all work."))
    subject = models.CharField(max_length=16, choices=Subject)
    unit = models.CharField(max_length=64, help_text=_("Public id of the question or vote."))
    text = models.CharField(max_length=1000)
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    answer = models.CharField(max_length=1000, blank=True)
    decided_by = optional(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, blank=True)
    # When its worker read the answer among the news.
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = AppealQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            unique(
                "is_made_once",
                ["worker", "subject", "unit"],
                "You have already appealed this decision.",
            ),
            check(
                "is_decided_with_an_answer",
                Q(status="open", answer="", decided_at=None, decided_by=None)
                | (
                    Q(status__in=["upheld", "declined"], decided_at__isnull=False)
                    & Q(decided_by__isnull=False)
                    & ~Q(answer="")
                ),
                "A decided appeal has an answer, a date and a curator.",
            ),
            check("says_why", ~Q(text=""), "Please give a reason for your appeal."),
        ]

    def __str__(self) -> str:
        return f"{self.get_subject_display()}: {self.get_status_display()}"
