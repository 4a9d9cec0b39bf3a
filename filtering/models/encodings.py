"""Features of a snapshot's questions from an encoder, and encoders fine-tuned for them."""

from typing import Any, ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import Snapshot
from modeling.loaded import DTYPES
from training.models import Training, TrainingStep, settings_in_range
from winoplatform.db.columns import at_least, one_of, optional, reference
from winoplatform.db.constraints import unique
from winoplatform.models import Artifact
from winoplatform.runs.columns import (
    artifact_field,
    done_has,
    recorded_count,
    recorded_text,
    value_constraint,
)
from winoplatform.runs.models import Run, RunStatus, Step


def encoder_field() -> Any:
    """Return the column of an encoder's name."""
    return models.CharField(
        max_length=300,
        help_text=_(
            "A model hub id, a local folder or pkg:module/folder that the operator permits. "
            "Empty: the default encoder."
        ),
    )


def pooling_field() -> Any:
    """Return the column of the pooling that was asked for."""
    return models.CharField(
        max_length=16,
        blank=True,
        help_text=_(
            "How the word vectors of a sentence are combined into one. Empty: as is usual for the "
            "encoder."
        ),
    )


class Tuning(Training):
    """An encoder fine-tuned as multiple choice on a random part of a snapshot.

    Source: WinoGrande §3: 6,000 questions (5,000 to train on, 1,000 to validate) fine-tune the
    encoder, and are left out of the data set.
    """

    INPUT = "snapshot"

    snapshot = reference(Snapshot, "tunings")
    encoder = encoder_field()
    pooling = pooling_field()
    n_train = at_least(
        2,
        verbose_name=_("training questions"),
        help_text=_("Whole twins, drawn at random. Empty: 5,000 of 53,000, in proportion."),
    )
    n_validation = at_least(
        2,
        verbose_name=_("validation questions"),
        help_text=_(
            "Drawn in the same way and not used for training: they decide which epoch is best. "
            "Empty: 1,000 of 53,000, in proportion."
        ),
    )
    pooling_used = recorded_text(16)
    used = artifact_field(help_text=_("Ids of the questions used, one per line."))
    n_used = recorded_count()
    accuracy = models.FloatField(
        null=True, blank=True, editable=False, help_text=_("Accuracy on the validation questions.")
    )

    class Meta(Training.Meta):
        abstract = False
        verbose_name = _("tuning")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            done_has("used", "n_used", "weights", "accuracy"),
            settings_in_range(),
            unique(
                "is_open_once_per_setting",
                [
                    "snapshot", "encoder", "pooling", "n_train", "n_validation", "epochs",
                    "batch_size", "learning_rate", "seed",
                ],
                "A tuning with these settings is under way already; use it, or wait until it ends.",
                condition=Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]  # fmt: skip


class TuningEpoch(TrainingStep):
    """One pass over the training questions."""

    run = models.ForeignKey(Tuning, on_delete=models.CASCADE, related_name="steps")
    accuracy = models.FloatField(help_text=_("Accuracy on the validation questions."))


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
    features = one_of(
        Features.DIFFERENCE,
        help_text=_("How a question’s feature vector is made from the vectors of its two options."),
    )
    dtype = one_of(
        Dtypes.FLOAT32,
        verbose_name=_("numbers"),
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
    n_features = recorded_count()

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("encoding")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            value_constraint("features", "difference", "concatenation"),
            value_constraint("dtype", *DTYPES),
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
