"""The table of short trials that measure how long a method takes."""

from typing import ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import ReferenceSet
from evaluation.models.scorings import Scoring, scoring_rules
from winoplatform.constraints import unique
from winoplatform.runs.columns import done_has, known
from winoplatform.runs.models import Run, RunStatus


class Trial(Scoring):
    """The seconds that a method takes on a sample of questions. The scores are not kept."""

    reference_set = models.ForeignKey(
        ReferenceSet, null=True, blank=True, on_delete=models.CASCADE, related_name="trials"
    )
    begin_seconds = models.FloatField(
        null=True,
        editable=False,
        validators=[MinValueValidator(0)],
        help_text=_("Until the first block: to read the questions and to load the model."),
    )
    seconds_per_question = models.FloatField(
        null=True, editable=False, validators=[MinValueValidator(0)]
    )

    class Meta(Scoring.Meta):
        abstract = False
        verbose_name = _("trial")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            *scoring_rules(),
            done_has("begin_seconds", "seconds_per_question"),
            unique(
                "is_open_once",
                list(Scoring.ASKED),
                "This trial is under way already.",
                condition=Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]
