"""Tables for evaluations of models, and for the load of the starter campaign."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from corpora.models import ReferenceSet, Release
from filtering.models import Encoding
from winoplatform.constraints import check, unique
from winoplatform.runs.columns import artifact_field, done_has, known
from winoplatform.runs.models import Run, RunStatus


class Evaluation(Run):
    """A model's answers to one split of a release or reference set, and their metrics."""

    INPUT = "release"
    ALSO_NEEDS = ("encoding",)

    class Model(models.TextChoices):
        MAJORITY = "majority", _("most frequent answer")
        RANDOM = "random", _("random answers")
        LINEAR = "linear", _("linear model on the encoding")

    release = models.ForeignKey(
        Release, null=True, blank=True, on_delete=models.PROTECT, related_name="evaluations"
    )
    reference_set = models.ForeignKey(
        ReferenceSet, null=True, blank=True, on_delete=models.PROTECT, related_name="evaluations"
    )
    model = models.CharField(max_length=16, choices=Model)
    encoding = models.ForeignKey(
        Encoding,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="evaluations",
        help_text=_("The encoding whose features the linear model uses."),
    )
    split = models.SlugField(default="dev")
    seed = models.PositiveBigIntegerField(default=0, help_text=_("Seed of the random answers."))
    predictions = artifact_field(help_text=_("qID and predicted option, one per line."))
    metrics = models.JSONField(
        null=True, blank=True, editable=False, help_text=_("By metric: value, low, high, n.")
    )

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("evaluation")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            known("model", "majority", "random", "linear"),
            check(
                "is_of_one_set",
                models.Q(release=None) ^ models.Q(reference_set=None),
                "An evaluation is of a release or of a reference set.",
            ),
            check(
                "linear_has_an_encoding",
                models.Q(model="linear", encoding__isnull=False)
                | (~models.Q(model="linear") & models.Q(encoding=None)),
                "Only the linear model uses an encoding.",
            ),
            done_has("predictions", "metrics"),
            unique(
                "is_open_once",
                ["release", "reference_set", "model", "encoding", "split", "seed"],
                "This evaluation is under way already.",
                condition=models.Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]


class StarterLoad(Run):
    """The load of the starter campaign; in its progress, a twin weighs as much as several votes.

    It has no recorded steps: what a killed attempt stored is in the campaign's own tables.
    """

    QUEUE = "heavy"  # which is unused until the campaign exists

    campaign = models.ForeignKey(
        Campaign, null=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )

    class Meta(Run.Meta):
        verbose_name = _("starter campaign")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            done_has("campaign"),
            unique(
                "is_asked_for_once",
                ["campaign"],
                "The starter campaign is being loaded already.",
                nulls_distinct=False,
            ),
        ]
