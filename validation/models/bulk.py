"""One curator's action on many questions: confirmed once, executed question by question."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Question
from winoplatform.db.constraints import check, unique


class BulkAction(models.Model):
    """An action on chosen questions, with the revision of each that the curator has seen.

    ::

        prepared ──confirm──▶ confirmed: each item is done or refused, once
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
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    reasons = ArrayField(models.CharField(max_length=32), default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "kind_is_known",
                Q(kind__in=["valid", "invalid", "return", "exclude", "gold"]),
                "This action is not known.",
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

    action = models.ForeignKey(BulkAction, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    revision = models.CharField(max_length=64, help_text=_("As the curator has seen it."))
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True, default=Outcome.WAITING)
    message = models.CharField(max_length=500, blank=True, help_text=_("Why it was refused."))

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            unique("is_numbered_once", ["action", "number"], "Each number has one question."),
            unique("is_acted_on_once", ["action", "question"], "A question is in it once."),
            check(
                "refused_says_why",
                (Q(outcome="refused") & ~Q(message=""))
                | (Q(outcome__in=["", "done"]) & Q(message="")),
                "A refused item has a reason, and no other has one.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: question {self.question_id}"
