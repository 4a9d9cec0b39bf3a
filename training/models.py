"""What every run that fine-tunes a model has: its data, its settings, and its checkpoints."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import DEBIASED, DEV, TRAINING
from corpora.core.transformations import TELL_ANSWERS
from corpora.models import known_transformation
from winoplatform.db.constraints import check
from winoplatform.runs.columns import artifact_field, recorded_text
from winoplatform.runs.models import Run, Step

MOST_IN_BATCH = 1024  # questions; memory grows with the batch
MOST_EPOCHS = 100
LEAST_RATE = 1e-9
AND = "+"
TRAIN = "train"
# The answers of a release's test split are blind: nobody trains on it or chooses a model by it.
_TRAINED = (TRAIN, *TRAINING, DEBIASED)
RELEASE_TRAINING = (*_TRAINED, *(AND.join([name, DEV]) for name in _TRAINED), DEV)


def learnable_transformation(name: str) -> None:
    """Validate the name of a transformation whose sentences do not contain the answers."""
    known_transformation(name)
    if name in TELL_ANSWERS:
        raise ValidationError(
            _("The transformation “%(name)s” writes the answers into the sentences."),
            params={"name": name},
        )


class Training(Run):
    """A run that fine-tunes a model, and keeps the weights of one of its epochs."""

    QUEUE = "heavy"

    epochs = models.PositiveIntegerField(
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_EPOCHS)],
        help_text=_("Passes over the training questions. WinoGrande’s models used 3 to 8."),
    )
    batch_size = models.PositiveIntegerField(
        _("questions in a batch"),
        default=16,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_IN_BATCH)],
        help_text=_("Larger batches need more memory. WinoGrande’s models used 8 or 16."),
    )
    learning_rate = models.FloatField(
        default=1e-5,
        validators=[MinValueValidator(LEAST_RATE), MaxValueValidator(1.0)],
        help_text=_(
            "The peak rate, reached after a tenth of all batches, such as 1e-5, 3e-5 or 5e-5."
        ),
    )
    seed = models.PositiveBigIntegerField(
        default=0,
        help_text=_(
            "Fixes which questions are drawn, their order and all random choices in training."
        ),
    )
    # Recorded before the first step, so that a later attempt continues with the same model.
    base_sha256 = recorded_text(64, _("Of the weights it starts from."))
    config_sha256 = recorded_text(64, _("Of the model’s configuration and tokenizer."))
    weights = artifact_field(help_text=_("The fine-tuned model, as safetensors."))

    class Meta(Run.Meta):
        abstract = True
        ordering: ClassVar = ["-pk"]


def settings_in_range(*, also: str = "", **more: Any) -> models.CheckConstraint:
    """Return the constraint on the settings.

    *more* has lookups on other columns, and *also* names those that are above 0 like rates.
    """
    limits = {"epochs__gte": 1, "epochs__lte": MOST_EPOCHS, "batch_size__gte": 1,
             "batch_size__lte": MOST_IN_BATCH, "learning_rate__gt": 0}  # fmt: skip
    return check(
        "settings_are_in_range",
        Q(**limits, **more),
        f"Epochs are from 1 to {MOST_EPOCHS}, the batch size from 1 to {MOST_IN_BATCH}, "
        f"rates{also} above 0.",
    )


class TrainingStep(Step):
    """A checkpoint of a training; a subclass adds ``run`` and the figures of the dev set.

    Only the newest step, from which training continues, and the best one, whose weights may be
    kept, have a state. All states are deleted when the training is done.
    """

    loss = models.FloatField(help_text=_("Mean training loss of the epoch so far."))
    state = artifact_field(help_text=_("Weights and optimiser state, as safetensors."))

    class Meta(Step.Meta):
        abstract = True
