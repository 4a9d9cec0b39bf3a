"""AFLite as a run, recorded phase by phase."""

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from filtering.columns import artifact_field, done_has, known
from filtering.models.frozen import Encoding
from winoplatform.models import Artifact
from winoplatform.runs.models import Run, RunStatus, Step

# AFLite's parameters: what a filter run is asked for, and what tells two of them apart.
AFLITE_SETTINGS = ("n", "m", "k", "tau", "C", "tol", "seed", "partition", "removal")


class FilterRun(Run):
    """AFLite (WinoGrande §3, Algorithm 1) over one encoding; symbols are the paper's."""

    TASK = "filtering.carry_filter_run"
    QUEUE = "heavy"
    INPUT = "encoding"

    class Partition(models.TextChoices):
        INDIVIDUAL = "individual", _("each question by itself (as published)")
        GROUPED = "grouped", _("twins on one side")

    class Removal(models.TextChoices):
        INDIVIDUAL = "individual", _("each question by itself (as published)")
        TOGETHER = "together", _("twins together")

    encoding = models.ForeignKey(Encoding, on_delete=models.PROTECT, related_name="filter_runs")
    n = models.PositiveIntegerField(
        default=64, validators=[MinValueValidator(1)], help_text=_("Ensemble size.")
    )
    m = models.PositiveIntegerField(
        default=10_000, validators=[MinValueValidator(2)], help_text=_("Training set size.")
    )
    k = models.PositiveIntegerField(
        default=500, validators=[MinValueValidator(1)], help_text=_("Filtering cutoff.")
    )
    tau = models.FloatField(
        default=0.75,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
        help_text=_("Filtering threshold."),
    )
    C = models.FloatField(default=1.0, validators=[MinValueValidator(1e-6)])
    tol = models.FloatField(default=1e-4, validators=[MinValueValidator(1e-9)])
    seed = models.PositiveBigIntegerField(default=0)
    partition = models.CharField(max_length=16, choices=Partition, default=Partition.INDIVIDUAL)
    removal = models.CharField(max_length=16, choices=Removal, default=Removal.INDIVIDUAL)
    kept = artifact_field(help_text=_("Ids of the questions that stay, one a line."))
    n_kept = models.PositiveIntegerField(null=True, blank=True, editable=False)
    stop_reason = models.CharField(max_length=32, blank=True, editable=False)

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("filter run")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            known("partition", "individual", "grouped"),
            known("removal", "individual", "together"),
            done_has("kept", "n_kept"),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_settings_are_in_range",
                condition=Q(n__gte=1, m__gte=2, k__gte=1, tau__gte=0, tau__lte=1, C__gt=0),
                violation_error_message="n and k are at least 1, m at least 2, tau from 0 to 1.",
            ),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_open_once_per_setting",
                fields=["encoding", *AFLITE_SETTINGS],
                condition=Q(status__in=Run.OPEN),
                violation_error_message="A run with these settings is under way already.",
            ),
        ]


class Phase(Step):
    """One phase of AFLite: what it saw and which rows it removed."""

    run = models.ForeignKey(FilterRun, on_delete=models.CASCADE, related_name="steps")
    n_before = models.PositiveIntegerField()
    n_removed = models.PositiveIntegerField()
    never_held_out = models.PositiveIntegerField()
    eligible = models.PositiveIntegerField(help_text=_("Rows at or above the threshold."))
    tied_at_cutoff = models.PositiveIntegerField()
    unconverged = models.PositiveIntegerField(help_text=_("Members that hit the step limit."))
    accuracy = models.FloatField(null=True, help_text=_("Mean held-out accuracy."))
    histogram = models.JSONField(help_text=_("Rows by score, in twenty bins from 0 to 1."))
    arrays = models.ForeignKey(
        Artifact,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("int32 (4, n_before): row, correct predictions, times held out, removed."),
    )

    class Meta(Step.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_recorded_once", fields=["run", "number"]
            )
        ]

    @property
    def n_left(self) -> int:
        return self.n_before - self.n_removed
