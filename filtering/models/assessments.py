"""Assessments: measured effects of a filter run on a data set's biases."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from filtering.models.filter_runs import FilterRun
from winoplatform.db.constraints import unique
from winoplatform.runs.columns import artifact_field, done_has, known
from winoplatform.runs.models import Run, RunStatus, Step


class Assessment(Run):
    """Measurements on the questions before a filter run, those kept and those removed."""

    QUEUE = "heavy"
    INPUT = "filter_run"

    filter_run = models.ForeignKey(FilterRun, on_delete=models.CASCADE, related_name="assessments")
    seed = models.PositiveBigIntegerField(
        default=0, help_text=_("Of folds and samples; use the same seed to compare figures.")
    )
    report = artifact_field(help_text=_("All parts as one canonical JSON document."))
    places = artifact_field(
        help_text=_(
            "float32 (n, 1 or 2): the questions of the encoding on their principal components."
        )
    )

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("assessment")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            done_has("report"),
            unique(
                "is_open_once_per_run",
                ["filter_run"],
                "An assessment of this run is under way already.",
                condition=Q(status__in=Run.OPEN),
            ),
        ]


class AssessmentPart(Step):
    """One kind of evidence, stored as soon as it is computed."""

    run = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="steps")
    name = models.CharField(max_length=32)
    figures = models.JSONField()
