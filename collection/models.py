"""Priming and authoring: campaigns, articles, assignments, twins and their questions."""

import secrets
import uuid
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core.rules import Thresholds


def new_question_id() -> str:
    """Return a random id: neither order nor ending says anything about the answer."""
    return secrets.token_hex(8)


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def visible_to(self, user: Any) -> Self:
        if user.is_curator:
            return self
        return self.exclude(status=Campaign.Status.DRAFT)

    def open(self) -> Self:
        return self.filter(status=Campaign.Status.OPEN)


class Campaign(models.Model):
    """One collection effort with its own guidelines, thresholds, rewards and verdict policy.

    ::

        draft ──▶ open ◀──▶ paused
                    └──▶ closed ◀── paused
    """

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    class Policy(models.TextChoices):
        MAJORITY = "majority", _("majority (AAAI 2020)")
        UNANIMOUS = "unanimous", _("unanimous (arXiv v1)")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    guidelines = models.TextField(blank=True, help_text=_("Markdown, shown to writers and judges."))
    status = models.CharField(max_length=16, choices=Status, default=Status.DRAFT)

    min_words = models.PositiveSmallIntegerField(default=15)
    max_words = models.PositiveSmallIntegerField(default=30)
    min_overlap = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.70"),
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("0.99"))],
    )
    reward_twin = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal("0.40"))
    reward_vote = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal("0.03"))
    currency = models.CharField(
        max_length=3, default="USD", validators=[RegexValidator(r"^[A-Z]{3}$")]
    )
    votes_per_question = models.PositiveSmallIntegerField(default=3)
    verdict_policy = models.CharField(max_length=16, choices=Policy, default=Policy.MAJORITY)
    assignment_minutes = models.PositiveSmallIntegerField(default=60)
    vote_minutes = models.PositiveSmallIntegerField(default=10)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_word_limits_are_ordered",
                condition=Q(min_words__gte=3) & Q(max_words__gte=F("min_words")),
                violation_error_message="The longest length must not be below the shortest (≥ 3).",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_overlap_is_a_share",
                condition=Q(min_overlap__gte=0, min_overlap__lt=1),
                violation_error_message="The overlap threshold lies from 0 to below 1.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_rewards_are_not_negative",
                condition=Q(reward_twin__gte=0, reward_vote__gte=0),
                violation_error_message="A reward cannot be negative.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_votes_are_odd",
                condition=Q(votes_per_question__in=[1, 3, 5, 7, 9]),
                violation_error_message="Votes per question must be odd (1 to 9), so that a "
                "majority exists.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_leases_last",
                condition=Q(assignment_minutes__gte=1, vote_minutes__gte=1),
                violation_error_message="A lease lasts at least one minute.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(
            min_words=self.min_words, max_words=self.max_words, min_overlap=float(self.min_overlap)
        )


class Article(models.Model):
    """A how-to article that primes writers; its anchors are found once, at import."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="articles")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    source_id = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    category = models.CharField(max_length=120, blank=True)
    text = models.TextField()
    anchors = models.JSONField(
        default=list, blank=True, help_text=_("Ranked: text, sentence, start, end, score.")
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_imported_once",
                fields=["campaign", "source_id"],
                violation_error_message="The campaign has an article with this source id already.",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.filter(worker=user)

    def held(self, *, now: Any) -> Self:
        return self.filter(status=Assignment.Status.OPEN, leased_until__gt=now)


class Assignment(models.Model):
    """A random article in a writer's hands for a while.

    ::

        open ──submit──▶ submitted
          ├──return────▶ returned
          └──lease ends, next request──▶ expired
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("returned")
        EXPIRED = "expired", _("expired")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="assignments")
    article = models.ForeignKey(Article, on_delete=models.PROTECT, related_name="assignments")
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments"
    )
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    leased_until = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_one_at_a_time",
                fields=["campaign", "worker"],
                condition=Q(status="open"),
                violation_error_message="A writer holds one assignment of a campaign at a time.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.article} for {self.worker.public_id}"


class TwinQuerySet(models.QuerySet["Twin"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.filter(author=user)


class Twin(models.Model):
    """Two questions that differ in their trigger, or one question whose twin is missing.

    A lone question (published sets hold many) is a twin with one question: ``is_lone`` counts.
    """

    class Domain(models.TextChoices):
        SOCIAL = "social", _("social")
        PHYSICAL = "physical", _("physical")
        UNKNOWN = "unknown", _("not stated")

    class Origin(models.TextChoices):
        AUTHORED = "authored", _("written here, judged here")
        PUBLISHED = "published", _("published elsewhere, judged there")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="twins")
    assignment = models.OneToOneField(
        Assignment, null=True, blank=True, on_delete=models.PROTECT, related_name="twin"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="twins",
    )
    client_key = models.UUIDField(
        null=True, blank=True, help_text=_("Made by the client; the same key gives the same twin.")
    )
    origin = models.CharField(max_length=16, choices=Origin, default=Origin.AUTHORED)
    source_id = models.CharField(max_length=200, blank=True)
    domain = models.CharField(max_length=16, choices=Domain, default=Domain.UNKNOWN)
    anchor = models.CharField(max_length=120, blank=True)
    option1 = models.CharField(max_length=120)
    option2 = models.CharField(max_length=120)
    trigger = models.JSONField(
        default=dict, blank=True, help_text=_("The words that differ: first, second.")
    )
    warnings = models.JSONField(
        default=list, blank=True, help_text=_("Codes of the rules that warned.")
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TwinQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_submitted_once",
                fields=["author", "client_key"],
                violation_error_message="This twin was submitted already.",
            ),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_imported_once",
                fields=["campaign", "source_id"],
                condition=~Q(source_id=""),
                violation_error_message="The campaign has this twin already.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_options_differ",
                condition=~Q(option1=F("option2")),
                violation_error_message="The two options must differ.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_authored_has_an_author",
                condition=~Q(origin="authored") | Q(author__isnull=False),
                violation_error_message="A twin written here has an author.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.option1} / {self.option2}"


class QuestionQuerySet(models.QuerySet["Question"]):
    def in_campaign(self, campaign: Campaign) -> Self:
        return self.filter(twin__campaign=campaign)


class Question(models.Model):
    """One sentence with a blank; its answer is 1 or 2 of the twin's options."""

    public_id = models.CharField(
        max_length=32, unique=True, default=new_question_id, editable=False
    )
    twin = models.ForeignKey(Twin, on_delete=models.PROTECT, related_name="questions")
    number = models.PositiveSmallIntegerField()
    sentence = models.TextField()
    answer = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_has_one_place_in_its_twin",
                fields=["twin", "number"],
                violation_error_message="The twin has this question already.",
            ),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_answers_are_opposite",
                fields=["twin", "answer"],
                violation_error_message="The answers of two twins must be opposite.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_number_and_answer_are_1_or_2",
                condition=Q(number__in=[1, 2], answer__in=[1, 2]),
                violation_error_message="Number and answer are 1 or 2.",
            ),
        ]

    def __str__(self) -> str:
        return self.sentence
