"""The numbered people of a panel each of whom answers every item."""

import uuid
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q

from panels.models.panels import Panel
from winoplatform.db.columns import optional
from winoplatform.db.constraints import check, unique
from workers.models import User


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    def active(self) -> Self:
        """Those that have not ended: one of each number."""
        return self.filter(ended_at=None)

    def free(self) -> Self:
        return self.active().filter(worker=None)


class Enrolment(models.Model):
    """One of a panel's numbered people, free or taken by a worker.

    When it ends before its last answer, another free one with the same number follows.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    panel = models.ForeignKey(
        Panel, on_delete=models.CASCADE, related_name="enrolments", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    worker = optional(User, "enrolments")
    enrolled_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["number", "pk"]
        constraints: ClassVar = [
            unique(
                "number_is_taken_once",
                ["panel", "number"],
                "Each number has one person at a time.",
                condition=Q(ended_at=None),
            ),
            unique("worker_enrols_once", ["panel", "worker"], "A worker enrols once in a panel."),
            check(
                "taken_has_a_time",
                Q(worker=None, enrolled_at=None, ended_at=None)
                | Q(worker__isnull=False, enrolled_at__isnull=False),
                "A taken enrolment has a worker and a time.",
            ),
        ]

    def __str__(self) -> str:
        return f"person {self.number} of {self.panel_id}"
