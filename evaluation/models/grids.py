"""Tables of grids: fine-tunings that belong together, and what they are scored on."""

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import ReferenceSet, Release
from winoplatform.db.columns import optional
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import done_has, known, recorded_json
from winoplatform.runs.models import Run, RunStatus


class Grid(Run):
    """One parent of several fine-tunings, its cells.

    Each cell is a run of its own, so all free workers share them. The grid ends when they and
    their evaluations have ended, and names the best by the rule of its preset.
    """

    QUEUE = "heavy"

    class Kinds(models.TextChoices):
        GRID = "grid", _("grid")
        CURVE = "curve", _("learning curve")
        TRANSFER = "transfer", _("transfer")
        ARTIFACTS = "artifacts", _("artifacts")

    kind = models.SlugField(choices=Kinds)
    preset = models.SlugField(help_text=_("The settings of its cells, and the rule of choice."))
    model = models.CharField(max_length=300, help_text=_("The encoder that is fine-tuned."))
    estimated_seconds = models.FloatField(
        null=True,
        blank=True,
        editable=False,
        validators=[MinValueValidator(0)],
        help_text=_("Of all cells on one worker, as shown before the start; empty if unknown."),
    )
    most_seconds = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(1e9)],
        help_text=_("Stop when the cells have taken so many seconds in all; empty: never."),
    )
    patience = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(500)],
        help_text=_("Stop after so many cells without a better accuracy on dev; empty: never."),
    )
    best = optional(
        "evaluation.FineTuning",
        "best_of",
        editable=False,
        help_text=_("The cell chosen by the preset’s rule."),
    )
    result = recorded_json(_("What was chosen, why, and of how many."))

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("grid")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            known("kind", "grid", "curve", "transfer", "artifacts"),
            check(
                "limits_are_positive",
                (Q(most_seconds=None) | Q(most_seconds__gt=0))
                & (Q(patience=None) | Q(patience__gte=1)),
                "The limits of a grid are above 0.",
            ),
            done_has("result"),
        ]


class GridTarget(models.Model):
    """A set on which the cells of a grid are scored."""

    grid = models.ForeignKey(Grid, on_delete=models.CASCADE, related_name="targets")
    release = optional(Release)
    reference_set = optional(ReferenceSet)
    split = models.SlugField()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            check(
                "is_of_one_set",
                Q(release__isnull=False, reference_set=None)
                | Q(release=None, reference_set__isnull=False),
                "A target is a split of a release or of a reference set.",
            ),
            unique(
                "is_listed_once",
                ["grid", "release", "reference_set", "split"],
                "This set is a target of the grid already.",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.release.name if self.release else self.reference_set} {self.split}"
