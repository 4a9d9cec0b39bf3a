"""What a model is fine-tuned on and how: the columns of such a request, and their rules."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import DEBIASED, DEV, TRAINING
from corpora.models import ReferenceSet, Release
from evaluation.core.transformations import TELL_ANSWERS
from evaluation.models.scorings import known_transformation
from modeling.specs import ModelSpec
from winoplatform.constraints import check
from winoplatform.runs.columns import known
from winoplatform.runs.models import Run

AND = "+"
TRAIN = "train"
# The answers of a release's test split are blind: nobody trains on it or chooses a model by it.
_TRAINED = (TRAIN, *TRAINING, DEBIASED)
RELEASE_TRAINING = (*_TRAINED, *(AND.join([name, DEV]) for name in _TRAINED), DEV)
MOST_IN_BATCH = 1024  # questions; memory grows with the batch
MOST_EPOCHS = 100
FORMS = ("authors", "printed", "square_one")
LOSSES = ("multiple_choice", "mc_mlm")
DTYPES = ("float32", "bfloat16", "float16")
KEPT = ("best", "final")


def learnable_transformation(name: str) -> None:
    """Validate the name of a transformation whose sentences do not contain the answers."""
    known_transformation(name)
    if name in TELL_ANSWERS:
        raise ValidationError(
            _("The transformation “%(name)s” writes the answers into the sentences."),
            params={"name": name},
        )


class Training(Run):
    """A run that fine-tunes a model on some questions of a release or of a reference set."""

    QUEUE = "heavy"
    INPUT = "release"
    ALSO_NEEDS: ClassVar[tuple[str, ...]] = ("before",)
    # The columns that say what it is trained on, and how.
    DATA = ("release", "reference_set", "train_split", "size", "transformation")
    SETTINGS = (
        "form", "loss", "epochs", "batch_size", "learning_rate", "seed", "accumulation", "warm_up",
        "weight_decay", "largest_gradient", "dtype",
    )  # fmt: skip
    ASKED = ("model", "before", *DATA, *SETTINGS)

    class Forms(models.TextChoices):
        AUTHORS = "authors", _("context split at the blank; the option begins the second part")
        PRINTED = "printed", _("context split after the option")
        SQUARE_ONE = "square_one", _("the form of Back to Square One")

    class Losses(models.TextChoices):
        MULTIPLE_CHOICE = "multiple_choice", _("multiple choice: a new head")
        MC_MLM = "mc_mlm", _("multiple choice by the head of the masked language model")

    class Dtypes(models.TextChoices):
        FLOAT32 = "float32", "float32"
        BFLOAT16 = "bfloat16", _("bfloat16, on a GPU")
        FLOAT16 = "float16", _("float16, on a GPU")

    model = models.CharField(max_length=300, help_text=_("The encoder that is fine-tuned."))
    before = models.ForeignKey(
        "evaluation.FineTuning",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="%(class)s_after",
        help_text=_("The fine-tuned model to start from; empty for the encoder as published."),
    )
    release = models.ForeignKey(
        Release, null=True, blank=True, on_delete=models.PROTECT, related_name="%(class)ss"
    )
    reference_set = models.ForeignKey(
        ReferenceSet, null=True, blank=True, on_delete=models.PROTECT, related_name="%(class)ss"
    )
    train_split = models.CharField(
        max_length=200,
        default=TRAIN,
        help_text=_("Splits to train on, joined by “+”; “train” is a release’s training set."),
    )
    size = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(2)],
        help_text=_("Questions drawn from them at random by the seed; empty for all."),
    )
    transformation = models.SlugField(
        blank=True,
        validators=[learnable_transformation],
        help_text=_("Applied to the questions first, also to those of dev; empty for none."),
    )
    form = models.SlugField(choices=Forms, default=Forms.AUTHORS)
    loss = models.SlugField(choices=Losses, default=Losses.MULTIPLE_CHOICE)
    epochs = models.PositiveIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(MOST_EPOCHS)]
    )
    batch_size = models.PositiveIntegerField(
        default=16, validators=[MinValueValidator(1), MaxValueValidator(MOST_IN_BATCH)]
    )
    learning_rate = models.FloatField(default=1e-5, validators=[MinValueValidator(1e-9)])
    seed = models.PositiveBigIntegerField(default=0)
    accumulation = models.PositiveIntegerField(
        default=1,
        validators=[MinValueValidator(1)],
        help_text=_("Batches whose gradients are added before one update."),
    )
    warm_up = models.FloatField(
        default=0.1,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text=_("Share of all updates in which the learning rate rises."),
    )
    weight_decay = models.FloatField(default=0.01, validators=[MinValueValidator(0)])
    largest_gradient = models.FloatField(
        default=1.0,
        validators=[MinValueValidator(1e-9)],
        help_text=_("Norm to which larger gradients are reduced."),
    )
    dtype = models.CharField(max_length=16, choices=Dtypes, default=Dtypes.FLOAT32)

    class Meta(Run.Meta):
        abstract = True
        ordering: ClassVar = ["-pk"]

    @property
    def input_run(self) -> Run | None:
        return self.release

    @property
    def train_splits(self) -> tuple[str, ...]:
        """The splits that it is trained on."""
        return tuple(self.train_split.split(AND))

    @property
    def model_name(self) -> str:
        """The model's name without paths."""
        return ModelSpec.parse(self.model).public_name

    @property
    def data_name(self) -> str:
        """The set, its splits, the size and the transformation, for people."""
        of = self.release.name if self.release else str(self.reference_set)
        size = f"{self.size:,}" if self.size else ""
        return " ".join(filter(None, [of, self.train_split, size, self.transformation]))


def training_rules() -> list[Any]:
    """Return the constraints of every table of such requests."""
    return [
        known("form", *FORMS),
        known("loss", *LOSSES),
        known("dtype", *DTYPES),
        check(
            "is_of_one_set",
            Q(release__isnull=False, reference_set=None)
            | Q(release=None, reference_set__isnull=False),
            "A model is fine-tuned on a release or on a reference set.",
        ),
        check(
            "release_is_not_learned_blind",
            Q(release=None) | Q(train_split__in=RELEASE_TRAINING),
            "The answers of a release’s test split are blind, so only its training sets and dev "
            "are learned from.",
        ),
        check(
            "settings_are_in_range",
            Q(
                epochs__gte=1, epochs__lte=MOST_EPOCHS, batch_size__gte=1,
                batch_size__lte=MOST_IN_BATCH, learning_rate__gt=0, accumulation__gte=1,
                warm_up__gte=0, warm_up__lte=1, weight_decay__gte=0, largest_gradient__gt=0,
            ),
            f"Epochs are from 1 to {MOST_EPOCHS}, the batch size from 1 to {MOST_IN_BATCH}, rates "
            "and the largest gradient above 0.",
        ),
    ]  # fmt: skip
