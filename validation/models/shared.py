"""What the members of a campaign share on the Data tab: named views, and comments on questions."""

import uuid
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Question
from winoplatform.db.columns import reference
from winoplatform.db.constraints import check, unique
from workers.models import User


class SavedView(models.Model):
    """Filters, order and columns of a campaign's questions under a name, for all its members."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(_("name"), max_length=80)
    query = models.CharField(
        max_length=4000, blank=True, help_text=_("The part of the address after the “?”.")
    )
    by = reference(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar[list[Any]] = ["name"]
        constraints: ClassVar = [
            unique(
                "has_a_name_of_its_own",
                ["campaign", Lower("name")],
                "A view has this name already.",
            ),
            check("is_named", ~Q(name=""), "A view has a name."),
        ]

    def __str__(self) -> str:
        return self.name


class QuestionComment(models.Model):
    """What a member of a campaign notes about a question, for the others; workers do not see it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="comments")
    by = reference(User)
    text = models.CharField(_("comment"), max_length=2000)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            check("says_something", ~Q(text=""), "A comment has a text."),
        ]

    def __str__(self) -> str:
        return f"comment on question {self.question_id}"
