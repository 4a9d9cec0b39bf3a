"""Encoders fine-tuned on some of a snapshot's questions, which then leave the data set."""

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import Snapshot
from winoplatform.constraints import check, unique
from winoplatform.runs.columns import artifact_field, done_has, known
from winoplatform.runs.models import Run, RunStatus, Step

MOST_IN_BATCH = 1024  # questions; memory grows with the batch


class Tuning(Run):
    """An encoder fine-tuned as multiple choice on a random part of a snapshot.

    Source: WinoGrande §3: 6,000 questions (5,000 to train on, 1,000 to validate) fine-tune the
    encoder, and are left out of the data set.
    """

    QUEUE = "heavy"
    INPUT = "snapshot"

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="tunings")
    encoder = models.CharField(max_length=300)
    pooling = models.CharField(
        max_length=16, blank=True, help_text=_("As requested; empty for the encoder's default.")
    )
    n_train = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(2)],
        help_text=_("Questions to train on; empty: 5,000 of 53,000, in proportion."),
    )
    n_validation = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(2)],
        help_text=_("Questions to validate on; empty: 1,000 of 53,000, in proportion."),
    )
    epochs = models.PositiveIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    batch_size = models.PositiveIntegerField(
        default=16, validators=[MinValueValidator(1), MaxValueValidator(MOST_IN_BATCH)]
    )
    learning_rate = models.FloatField(default=1e-5, validators=[MinValueValidator(1e-9)])
    seed = models.PositiveBigIntegerField(default=0)
    # Recorded before the first epoch, so that a resumed tuning continues with the same encoder.
    base_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    config_sha256 = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text=_("Of the encoder's configuration and tokenizer."),
    )
    pooling_used = models.CharField(max_length=16, blank=True, editable=False)
    used = artifact_field(help_text=_("Ids of the questions used, one per line."))
    n_used = models.PositiveIntegerField(null=True, blank=True, editable=False)
    weights = artifact_field(help_text=_("The encoder's weights, as safetensors."))
    accuracy = models.FloatField(
        null=True, blank=True, editable=False, help_text=_("Accuracy on the validation questions.")
    )

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("tuning")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            done_has("used", "n_used", "weights", "accuracy"),
            check(
                "settings_are_in_range",
                Q(
                    epochs__gte=1,
                    batch_size__gte=1,
                    batch_size__lte=MOST_IN_BATCH,
                    learning_rate__gt=0,
                ),
                f"Epochs are at least 1, the batch size from 1 to {MOST_IN_BATCH}, the rate "
                "above 0.",
            ),
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


class TuningEpoch(Step):
    """One pass over the training questions.

    Only the last epoch, which the next starts from, and the best one, whose weights may be kept,
    have a state. All states are deleted when the tuning is done.
    """

    run = models.ForeignKey(Tuning, on_delete=models.CASCADE, related_name="steps")
    loss = models.FloatField(help_text=_("Mean training loss."))
    accuracy = models.FloatField(help_text=_("Accuracy on the validation questions."))
    state = artifact_field(help_text=_("Weights and optimiser state, as safetensors."))

    class Meta(Step.Meta):
        constraints: ClassVar = [unique("is_recorded_once", ["run", "number"])]
