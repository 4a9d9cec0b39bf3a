"""Tables for searches for artifacts."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import ReferenceSet
from evaluation.models.evaluations import Evaluation
from evaluation.models.one_set import OfOneSet, rules_of_set, set_columns
from filtering.models import Encoding
from winoplatform.db.columns import optional
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import done_has, recorded_json, recorded_text, value_constraint
from winoplatform.runs.models import Run, RunQuerySet, RunStatus


class ArtifactDetectionQuerySet(RunQuerySet["ArtifactDetection"]):
    def visible_to(self, user: Any) -> Self:
        """Also those of reference sets that *user* sees."""
        sets = ReferenceSet.objects.visible_to(user)
        return self.filter(ArtifactDetection.of_member(user) | Q(reference_set__in=sets))


class ArtifactDetection(OfOneSet):
    """A search for leaks of the answer in the labelled items of a set, by cheap models and scorers.

    It has no recorded steps: training takes minutes at most, and another attempt finds the same.
    The scores of each scorer are evaluations, which are recorded.
    """

    QUEUE = "heavy"
    ALSO_NEEDS = ("snapshot", "encoding")
    # The labels of a release's test split stay blind.
    RELEASE_SPLITS = ("train-and-dev", "train", "dev")

    release, reference_set, snapshot, split = set_columns("detections")
    encoding = optional(
        Encoding,
        "detections",
        help_text=_("An encoding of the questions, whose features are one more detector."),
    )
    scorers = models.JSONField(
        default=list,
        blank=True,
        help_text=_("Methods with variant and model whose scores are detectors as well."),
    )
    evaluations = models.ManyToManyField(
        Evaluation,
        blank=True,
        related_name="detections",
        help_text=_("The scores of each scorer for each text that it sees."),
    )
    seed = models.PositiveBigIntegerField(
        default=0, help_text=_("Of the folds, the relabellings and the sample of a large set.")
    )
    data_sha256 = recorded_text(64, _("Of the examined items’ canonical lines, without answers."))
    code_version = recorded_text(
        200, _("The hash of the code that computes the figures, and its libraries’ versions.")
    )
    result = recorded_json(_("The figures of all detectors."))

    objects = ArtifactDetectionQuerySet.as_manager()  # type: ignore[misc]  # the base has its own

    class Meta(OfOneSet.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("artifact detection")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            *rules_of_set(
                "Artifacts are looked for in a release, a reference set or a snapshot.",
                done="examined",
            ),
            check(
                "release_is_not_examined_blind",
                Q(release=None) | Q(split__in=["train-and-dev", "train", "dev"]),
                "The labels of a release’s test split are blind, so only train and dev are "
                "examined.",
            ),
            check(
                "reference_set_has_no_encoding",
                Q(reference_set=None) | Q(encoding=None),
                "A reference set has no encoding.",
            ),
            done_has("result"),
            unique(
                "is_open_once",
                [
                    "release", "reference_set", "snapshot", "split", "encoding", "scorers", "seed",
                ],
                "This search is under way already.",
                condition=Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]  # fmt: skip

    @property
    def parts(self) -> tuple[str, ...]:
        """The splits of the set that are examined."""
        return ("train", "dev") if self.split == self.RELEASE_SPLITS[0] else (self.split,)

    @property
    def input_run(self) -> Run | None:
        return self.release or self.snapshot
