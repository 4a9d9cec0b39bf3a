"""The labels by which curators recognize people."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.db.columns import reference
from winoplatform.db.constraints import check, unique
from workers.models.accounts import User

LONGEST_LABEL = 80


class PersonLabel(models.Model):
    """A curator's own label for a person, beside the pseudonym; no other curator sees it."""

    worker = reference(User, "labels")
    by = reference(User, "person_labels")
    text = models.CharField(max_length=LONGEST_LABEL)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            unique("is_one_per_curator", ["by", "worker"], "You have a label for this person."),
            check("is_not_empty", ~models.Q(text=""), "A label is not empty."),
        ]

    def __str__(self) -> str:
        return _("label of %s") % self.worker.public_id
