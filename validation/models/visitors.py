"""What readers of public releases report about questions."""

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Question
from validation.models.votes import Vote
from winoplatform.db.columns import reference
from winoplatform.runs.columns import value_constraint


class VisitorReport(models.Model):
    """A reader's report of a question in a public release: nobody's account, nobody's address."""

    class Kind(models.TextChoices):
        WRONG = "wrong", _("the answer is wrong or unclear")
        OFFENSIVE = Vote.Report.OFFENSIVE.value, Vote.Report.OFFENSIVE.label
        NO_SENTENCE = Vote.Report.NO_SENTENCE.value, Vote.Report.NO_SENTENCE.label
        PERSON = "person", _("it tells of a real person")
        OTHER = "other", _("something else")

    client_key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    question = reference(Question, "visitor_reports")
    kind = models.CharField(max_length=16, choices=Kind)
    text = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            value_constraint("kind", "wrong", "offensive", "no_sentence", "person", "other")
        ]

    def __str__(self) -> str:
        return f"{self.kind}: question {self.question_id}"
