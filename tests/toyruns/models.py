"""The table of a kind of run that only tests have: it squares numbers."""

from typing import ClassVar

from django.db import models

from winoplatform.runs.models import Run, Step

MANY = 100


class Toy(Run):
    """Squares the numbers up to ``size``, one a step; a large one is for the heavy queue."""

    size = models.PositiveIntegerField()
    sum = models.PositiveIntegerField(null=True, blank=True)

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = "toy"

    @property
    def queue(self) -> str:
        return "heavy" if self.size > MANY else "light"


class Square(Step):
    run = models.ForeignKey(Toy, on_delete=models.CASCADE, related_name="steps")
    value = models.PositiveIntegerField()
