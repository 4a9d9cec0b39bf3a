"""Encoders fine-tuned on some of a snapshot's questions, which then leave the data set."""

from typing import Any, ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import Snapshot
from training.models import Training, TrainingStep, settings_in_range
from winoplatform.db.columns import reference
from winoplatform.db.constraints import unique
from winoplatform.runs.columns import artifact_field, done_has, known, recorded_text
from winoplatform.runs.models import Run, RunStatus


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
    n_train = models.PositiveIntegerField(
        _("training questions"),
        null=True,
        blank=True,
        validators=[MinValueValidator(2)],
        help_text=_("Whole twins, drawn at random. Empty: 5,000 of 53,000, in proportion."),
    )
    n_validation = models.PositiveIntegerField(
        _("validation questions"),
        null=True,
        blank=True,
        validators=[MinValueValidator(2)],
        help_text=_(
            "Drawn in the same way and not used for training: they decide which epoch is best. "
            "Empty: 1,000 of 53,000, in proportion."
        ),
    )
    pooling_used = recorded_text(16)
    used = artifact_field(help_text=_("Ids of the questions used, one per line."))
    n_used = models.PositiveIntegerField(null=True, blank=True, editable=False)
    accuracy = models.FloatField(
        null=True, blank=True, editable=False, help_text=_("Accuracy on the validation questions.")
    )

    class Meta(Training.Meta):
        abstract = False
        verbose_name = _("tuning")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
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

    class Meta(TrainingStep.Meta):
        abstract = False
        constraints: ClassVar = [unique("is_recorded_once", ["run", "number"])]
