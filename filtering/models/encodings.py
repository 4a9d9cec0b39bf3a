"""Features of a snapshot's questions from an encoder."""

from typing import ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import Snapshot
from filtering.models.tunings import Tuning, encoder_field, pooling_field
from modeling.loaded import DTYPES
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import unique
from winoplatform.models import Artifact
from winoplatform.runs.columns import artifact_field, done_has, known, recorded_text
from winoplatform.runs.models import Run, RunStatus, Step


class Encoding(Run):
    """Features of every question of a snapshot from one encoder."""

    QUEUE = "heavy"
    INPUT = "snapshot"
    ALSO_NEEDS = ("tuning",)

    class Features(models.TextChoices):
        DIFFERENCE = "difference", _("difference of the option vectors")
        CONCATENATION = "concatenation", _("both option vectors")

    class Dtypes(models.TextChoices):
        FLOAT32 = "float32", "float32"
        BFLOAT16 = "bfloat16", _("bfloat16, faster and rounded")

    snapshot = reference(Snapshot, "encodings")
    tuning = optional(
        Tuning,
        "encodings",
        help_text=_("The tuning whose encoder to use; its questions are not encoded."),
    )
    encoder = encoder_field()
    pooling = pooling_field()
    features = models.CharField(
        max_length=16,
        choices=Features,
        default=Features.DIFFERENCE,
        help_text=_("How a question’s feature vector is made from the vectors of its two options."),
    )
    dtype = models.CharField(
        _("numbers"),
        max_length=16,
        choices=Dtypes,
        default=Dtypes.FLOAT32,
        help_text=_(
            "Number format for the computation. bfloat16 is about three times as fast on "
            "processors and GPUs that support it; the features then have an error of about 5% of "
            "their norm."
        ),
    )
    # Recorded before the first shard, so a resumed encoding cannot mix vectors of two encoders.
    weights_sha256 = recorded_text(64)
    config_sha256 = recorded_text(64, _("Of the encoder's configuration and tokenizer."))
    pooling_used = recorded_text(16)
    # Stored per run: after an update with another shard size the run could not be resumed.
    shard_size = models.PositiveIntegerField(
        default=1024,  # seconds of work, with enough batches for many cores
        editable=False,
        validators=[MinValueValidator(1)],
        help_text=_("Questions in a shard."),
    )
    matrix = artifact_field()
    n_features = models.PositiveIntegerField(null=True, blank=True, editable=False)

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("encoding")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            known("features", "difference", "concatenation"),
            known("dtype", *DTYPES),
            done_has("matrix", "n_features"),
            unique(
                "is_open_once_per_setting",
                ["snapshot", "tuning", "encoder", "pooling", "features", "dtype"],
                "An encoding with these settings is under way already; use it, or wait until it "
                "ends.",
                condition=Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]

    @property
    def n_questions(self) -> int | None:
        """Questions of the snapshot that its tuning has not used; None before it is known."""
        used = self.tuning.n_used if self.tuning else 0
        in_all = self.snapshot.n_questions
        return None if in_all is None or used is None else in_all - used


class EncodingShard(Step):
    """Some rows of an encoding, stored as soon as they are computed."""

    run = models.ForeignKey(Encoding, on_delete=models.CASCADE, related_name="steps")
    vectors = reference(Artifact)

    class Meta(Step.Meta):
        constraints: ClassVar = [unique("is_recorded_once", ["run", "number"])]
