"""Tables for the validation of a knowledge set: annotators, their seats and their answers."""

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Case, F, OuterRef, Q, Sum, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from knowledge.core.validation import ANNOTATORS, NEEDED, Policy
from knowledge.models.knowledge_sets import KnowledgeSet
from knowledge.models.sentences import Sentence
from validation.models import AbstractSeat, AbstractSeatQuerySet
from validation.models.abstract import none_of
from winoplatform.constraints import check, unique
from winoplatform.money import AmountField
from winoplatform.runs.columns import known
from workers.models import LedgerEntry, User
from workers.models.promised_pay import LATE, MONEY, summed

MOST_ANNOTATORS = 20
NOT_NEGATIVE = (MinValueValidator(Decimal("0")),)


class SetValidationQuerySet(models.QuerySet["SetValidation"]):
    def visible_to(self, user: Any) -> Self:
        """All for curators; for others, those in which they are enrolled, and open ones.

        Participants of studies see open ones only of their studies' campaigns.
        """
        if not isinstance(user, User):
            return self.none()
        if user.is_curator:
            return self
        campaigns = Campaign.objects.visible_to(user)
        enrolled = Enrolment.objects.active().filter(worker=user)
        return self.filter(
            Q(status="open", campaign__in=campaigns) | Q(pk__in=enrolled.values("validation"))
        )


class SetValidation(models.Model):
    """The validation of a knowledge set's sentences by people.

    Its campaign pays, and the campaign's validators answer. Its sentences no longer change.

    ::

        open ◀──▶ paused
          └──▶ closed ◀──┘
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    ACTIVE = (Status.OPEN, Status.PAUSED)

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    knowledge_set = models.OneToOneField(
        KnowledgeSet, on_delete=models.PROTECT, related_name="validation"
    )
    campaign = models.ForeignKey(
        Campaign,
        on_delete=models.PROTECT,
        related_name="set_validations",
        help_text=_("Its validators answer, and its budget pays them."),
    )
    annotators = models.PositiveSmallIntegerField(
        default=ANNOTATORS,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ANNOTATORS)],
        help_text=_("Answers of each problem."),
    )
    needed = models.PositiveSmallIntegerField(
        default=NEEDED, help_text=_("Answers equal to its label that make a problem valid.")
    )
    whole_set = AmountField(
        max_digits=10,
        is_pay=True,
        null=True,
        blank=True,
        validators=NOT_NEGATIVE,
        help_text=_("What one annotator is paid for the whole set."),
    )
    reward = AmountField(
        max_digits=8,
        is_pay=True,
        null=True,
        blank=True,
        validators=NOT_NEGATIVE,
        help_text=_("What each answer pays, where the whole set has no amount."),
    )
    n_problems = models.PositiveIntegerField(editable=False)
    seed = models.PositiveBigIntegerField(default=0, help_text=_("Of the annotators’ orders."))
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = SetValidationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("validation of a knowledge set")
        constraints: ClassVar = [
            known("status", "open", "paused", "closed"),
            check(
                "pays_the_set_or_each_answer",
                Q(whole_set__isnull=False, reward=None) | Q(whole_set=None, reward__isnull=False),
                "Annotators are paid for the whole set or for each answer.",
            ),
            check(
                "pays_no_less_than_zero",
                Q(whole_set=None) | Q(whole_set__gte=0),
                "An amount cannot be negative.",
            ),
            check(
                "rewards_no_less_than_zero",
                Q(reward=None) | Q(reward__gte=0),
                "A reward cannot be negative.",
            ),
            check(
                "needs_more_than_half",
                Q(needed__lte=F("annotators"), annotators__lt=2 * F("needed")),
                "A problem is valid by more than half of its answers.",
            ),
            check("has_problems", Q(n_problems__gte=1), "A set has at least one problem."),
        ]

    def __str__(self) -> str:
        return f"validation of {self.knowledge_set}"

    @property
    def policy(self) -> Policy:
        return Policy(self.annotators, self.needed)


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    def active(self) -> Self:
        """Those that have not ended: one of each number."""
        return self.filter(ended_at=None)

    def free(self) -> Self:
        return self.active().filter(worker=None)


class Enrolment(models.Model):
    """One of a set's numbered annotators, free or taken by a worker.

    When it ends before its last answer, another free one with the same number follows.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    validation = models.ForeignKey(
        SetValidation, on_delete=models.CASCADE, related_name="enrolments", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="enrolments",
    )
    enrolled_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["number", "pk"]
        constraints: ClassVar = [
            unique(
                "number_is_taken_once",
                ["validation", "number"],
                "Each number has one annotator at a time.",
                condition=Q(ended_at=None),
            ),
            unique(
                "worker_enrols_once", ["validation", "worker"], "A worker enrols once in a set."
            ),
            check(
                "taken_has_a_time",
                Q(worker=None, enrolled_at=None, ended_at=None)
                | Q(worker__isnull=False, enrolled_at__isnull=False),
                "A taken enrolment has a worker and a time.",
            ),
        ]

    def __str__(self) -> str:
        return f"annotator {self.number} of {self.validation_id}"


class SentenceSeatQuerySet(AbstractSeatQuerySet["SentenceSeat"]):
    def open_to(self, worker: Any) -> Self:
        """Seats of the worker's own enrolment, not of a sentence or formula that they wrote."""
        enrolled = Enrolment.objects.active().filter(
            worker=worker, validation=OuterRef("validation"), number=OuterRef("number")
        )
        others = super().open_to(worker).exclude(none_of(enrolled))
        for author in ("author", "formula_author"):
            others = others.filter(Q((author, None)) | ~Q((author, worker)))
        return others

    def promised(self, campaign: Campaign, now: datetime) -> Any:
        """Return an expression for what a campaign's annotations will still pay.

        That is what the active validations cost in all, less what their answers were paid; and of
        closed ones, the seats still held.
        """
        here = SetValidation.objects.filter(campaign=campaign).order_by()
        active = here.filter(status__in=SetValidation.ACTIVE)
        total = active.values("campaign").annotate(sum=Sum(_in_all(), output_field=MONEY))
        paid = self.done().filter(validation__in=active)
        held = self.held(now=now - LATE).filter(validation__status=SetValidation.Status.CLOSED)
        left = summed(total.values("sum")) - paid.cost(campaign, F("reward"))
        return left + held.cost(campaign, F("reward"))


def _in_all() -> Any:
    """Return an expression for what the annotators of a validation are paid together."""
    by_problem = F("reward") * F("n_problems")
    each = Case(When(whole_set=None, then=by_problem), default=F("whole_set"), output_field=MONEY)
    return each * F("annotators")


class SentenceSeat(AbstractSeat):
    """One annotator's answer about one sentence, and the right to give it.

    Its number is that of the enrolment. Authors are copied from sentence and formula, where they
    never change: so the constraints of one table decide who may hold a seat.
    """

    class Fails(models.TextChoices):
        """What a sentence fails that was answered with no."""

        SENSE = "sense", _("it does not hold by common sense")
        SUPPORT = "support", _("it does not support the answer")
        BOTH = "both", _("both")

    ONCE = "sentence"
    CAMPAIGN = "validation__campaign"
    KIND = LedgerEntry.Kind.KNOWLEDGE
    EMPTY: ClassVar = {"yes": None, "fails": ""}

    validation = models.ForeignKey(
        SetValidation, on_delete=models.CASCADE, related_name="seats", db_index=False
    )
    sentence = models.ForeignKey(
        Sentence, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    formula_author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    yes = models.BooleanField(
        null=True,
        blank=True,
        help_text=_("Whether the sentence holds by common sense and supports the answer."),
    )
    fails = models.CharField(max_length=8, choices=Fails, blank=True)

    objects = SentenceSeatQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            *AbstractSeat.rules(target="sentence", once="sentence"),
            check(
                "author_does_not_answer",
                (Q(author=None) | Q(worker=None) | ~Q(author=F("worker")))
                & (Q(formula_author=None) | Q(worker=None) | ~Q(formula_author=F("worker"))),
                "The author of a sentence or formula does not answer about it.",
            ),
            check(
                "answered_has_an_answer",
                Q(answered_at=None, yes=None)
                | Q(answered_at__isnull=False, yes__isnull=False, worker__isnull=False),
                "An answered seat has an answer and a worker.",
            ),
            known("fails", "", "sense", "support", "both"),
            check(
                "only_a_no_fails",
                Q(fails="") | Q(yes=False),
                "Only what is answered with no fails something.",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="knowledge_seat_open",
                fields=["validation", "number", "place"],
                condition=Q(answered_at=None),
            ),
            models.Index(name="knowledge_seat_of_worker", fields=["worker", "validation"]),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of sentence {self.sentence_id}"
