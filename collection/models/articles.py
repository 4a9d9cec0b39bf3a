"""Priming: articles and their assignment to writers."""

import uuid
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models.campaigns import Campaign


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
