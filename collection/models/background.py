"""Optional questions about people, their answers, and the counts that are published.

Answers stand apart from all work: no page, file or API shows them but to their person.
"""

import uuid
from typing import ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core.background import LEAST_GROUP
from collection.models.campaigns import Campaign
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from workers.models import User


class BackgroundQuestionQuerySet(models.QuerySet["BackgroundQuestion"]):
    def asked_in(self, campaign: Campaign) -> Self:
        return self.filter(campaign=campaign, retired_at=None).order_by("number")


class BackgroundQuestion(models.Model):
    """An optional question that a campaign asks its people; it never changes."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="background")
    code = models.CharField(
        max_length=32, blank=True, help_text=_("Of a standard question; empty for an own one.")
    )
    number = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=200)
    options = ArrayField(models.CharField(max_length=100))
    many = models.BooleanField(default=False)
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = BackgroundQuestionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["campaign", "number"]
        constraints: ClassVar = [
            check(
                "has_options",
                Q(options__len__gte=2),
                "A question needs at least two options.",
            ),
        ]

    def __str__(self) -> str:
        return self.text


class BackgroundAnswer(models.Model):
    """A person's answer to an optional question; no row if they have not answered."""

    worker = reference(User, "background_answers")
    question = models.ForeignKey(
        BackgroundQuestion, on_delete=models.CASCADE, related_name="answers"
    )
    options = ArrayField(models.PositiveSmallIntegerField(), help_text=_("From 1."))

    class Meta:
        constraints: ClassVar = [
            unique("is_one_a_person", ["worker", "question"], "You have answered this already."),
            check("chooses_something", Q(options__len__gte=1), "An answer chooses something."),
        ]

    def __str__(self) -> str:
        return f"an answer to {self.question}"


class BackgroundEdition(models.Model):
    """The counts of answers as they are published, until the next edition.

    Each adds a group of people to the one before. It never changes: a count that falls when
    somebody leaves would tell what they said.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="background_editions"
    )
    least = models.PositiveSmallIntegerField(validators=[MinValueValidator(LEAST_GROUP)])
    people = models.PositiveIntegerField(help_text=_("All who are counted."))
    counts = models.JSONField(
        default=list, help_text=_("Questions: id, text, many, and the options with their counts.")
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["campaign", "-pk"]
        constraints: ClassVar = [
            check(
                "has_a_least_group",
                Q(least__gte=LEAST_GROUP),
                "The least group has at least five people.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, answers of {self.created_at:%Y-%m-%d}"


class BackgroundRespondent(models.Model):
    """A person who has answered some optional question: they are counted once, in one edition.

    It stays when the answers are deleted, and has none of them.
    """

    worker = reference(User, "background_respondents")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    edition = optional(BackgroundEdition, "respondents")

    class Meta:
        constraints: ClassVar = [
            unique("is_counted_once", ["worker", "campaign"], "This person is counted already."),
        ]

    def __str__(self) -> str:
        return f"a respondent of {self.campaign}"
