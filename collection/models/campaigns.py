"""Campaigns: what is collected, by which rules, for which pay."""

import uuid
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core.rules import Thresholds


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
