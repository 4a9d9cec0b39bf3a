"""Tables of fine-tuned models, and of grids, whose cells they may be."""

from typing import Any, ClassVar, cast

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import DEV
from corpora.models import ReferenceSet, Release
from modeling.finetuning import COMPUTE_DTYPES, FORMS, KEEPS, LOSSES
from modeling.specs import ModelSpec
from training.models import (
    AND,
    RELEASE_TRAINING,
    TRAIN,
    Training,
    TrainingStep,
    learnable_transformation,
    settings_in_range,
)
from winoplatform.db.columns import at_least, optional
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import (
    artifact_field,
    done_has,
    recorded_count,
    recorded_json,
    recorded_text,
    value_constraint,
)
from winoplatform.runs.models import Run, RunStatus


class Grid(Run):
    """One parent of several fine-tunings, its cells.

    Each cell is a run of its own, so all free workers share them. The grid ends when they and
    their evaluations have ended, and names the best by the rule of its preset.
    """

    QUEUE = "heavy"

    class Kinds(models.TextChoices):
        GRID = "grid", _("grid")
        CURVE = "curve", _("learning curve")
        TRANSFER = "transfer", _("transfer")
        ARTIFACTS = "artifacts", _("artifacts")

    kind = models.SlugField(choices=Kinds)
    preset = models.SlugField(help_text=_("The settings of its cells, and the rule of choice."))
    model = models.CharField(max_length=300, help_text=_("The encoder that is fine-tuned."))
    estimated_seconds = models.FloatField(
        null=True,
        blank=True,
        editable=False,
        validators=[MinValueValidator(0)],
        help_text=_("Of all cells on one worker, as shown before the start; empty if unknown."),
    )
    most_seconds = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(1e9)],
        help_text=_("Stop when the cells have taken so many seconds in all; empty: never."),
    )
    patience = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(500)],
        help_text=_("Stop after so many cells without a better accuracy on dev; empty: never."),
    )
    best = optional(
        "evaluation.FineTuning",
        "best_of",
        editable=False,
        help_text=_("The cell chosen by the preset’s rule."),
    )
    result = recorded_json(_("What was chosen, why, and of how many."))

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("grid")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            value_constraint("kind", "grid", "curve", "transfer", "artifacts"),
            check(
                "limits_are_positive",
                (Q(most_seconds=None) | Q(most_seconds__gt=0))
                & (Q(patience=None) | Q(patience__gte=1)),
                "The limits of a grid are above 0.",
            ),
            done_has("result"),
        ]

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        """Select own ones, and those with a cell of a member's campaigns."""
        cells = FineTuning.objects.filter(FineTuning.of_member(user), grid__isnull=False)
        return cls.own(user, path) | Q((f"{path}pk__in", cells.values("grid")))


class GridTarget(models.Model):
    """A set on which the cells of a grid are scored."""

    grid = models.ForeignKey(Grid, on_delete=models.CASCADE, related_name="targets")
    release = optional(Release)
    reference_set = optional(ReferenceSet)
    split = models.SlugField()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            check(
                "is_of_one_set",
                Q(release__isnull=False, reference_set=None)
                | Q(release=None, reference_set__isnull=False),
                "A target is a split of a release or of a reference set.",
            ),
            unique(
                "is_listed_once",
                ["grid", "release", "reference_set", "split"],
                "This set is a target of the grid already.",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.release.name if self.release else self.reference_set} {self.split}"


# The columns that say what it is trained on, and how.
DATA = ("release", "reference_set", "train_split", "size", "transformation")
SETTINGS = (
    "form", "loss", "epochs", "batch_size", "learning_rate", "seed", "accumulation", "warm_up",
    "weight_decay", "largest_gradient", "dtype",
)  # fmt: skip


class FineTuning(Training):
    """A model fine-tuned as multiple choice.

    Its weights are scored by evaluations of the method ``fine_tuned``, which wait for it.
    """

    INPUT = "release"
    ALSO_NEEDS: ClassVar[tuple[str, ...]] = ("before", "dev_release")
    DATA, SETTINGS = DATA, SETTINGS
    DEV = ("dev_release", "dev_reference_set", "dev_split")
    STOPS = ("keep", "patience", "checkpoint_every")

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

    class KeepRule(models.TextChoices):
        BEST = "best", _("of the epoch that is best on dev")
        FINAL = "final", _("of the last epoch")

    grid = optional(Grid, "cells", editable=False)
    setting = models.SlugField(
        blank=True, editable=False, help_text=_("Its name among the cells of a grid.")
    )
    model = models.CharField(max_length=300, help_text=_("The encoder that is fine-tuned."))
    before = optional(
        "evaluation.FineTuning",
        "%(class)s_after",
        help_text=_("The fine-tuned model to start from; empty for the encoder as published."),
    )

    release = optional(Release, "%(class)ss")
    reference_set = optional(ReferenceSet, "%(class)ss")
    train_split = models.CharField(
        max_length=200,
        default=TRAIN,
        help_text=_("Splits to train on, joined by “+”; “train” is a release’s training set."),
    )
    size = at_least(
        2, help_text=_("Questions drawn from them at random by the seed; empty for all.")
    )
    transformation = models.SlugField(
        blank=True,
        validators=[learnable_transformation],
        help_text=_("Applied to the questions first, also to those of dev; empty for none."),
    )
    form = models.SlugField(choices=Forms, default=Forms.AUTHORS)
    loss = models.SlugField(choices=Losses, default=Losses.MULTIPLE_CHOICE)
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
    dev_release = optional(Release, "validated")
    dev_reference_set = optional(ReferenceSet, "validated")
    dev_split = models.SlugField(
        blank=True, help_text=_("The questions by which the epoch or the cell is chosen.")
    )
    keep = models.SlugField(
        choices=KeepRule, default=KeepRule.BEST, help_text=_("Which weights are kept.")
    )
    patience = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("Stop after so many epochs without a better accuracy on dev; empty: never."),
    )
    checkpoint_every = at_least(
        1, help_text=_("Updates between recorded states; empty: at the end of each epoch.")
    )
    # Recorded before the first step, so steps of two models or two programs are never mixed.
    revision = recorded_text(100, _("The hub’s commit, or the package’s version."))
    data_sha256 = recorded_text(
        64, _("Of the lines of the questions trained on and of dev, without answers.")
    )
    code_version = recorded_text(
        200, _("The hash of the code that trains, and its libraries’ versions.")
    )
    n_train = recorded_count()
    dynamics = artifact_field(
        help_text=_("By question trained on: its id, and by epoch the probability of its answer.")
    )
    dev_metrics = recorded_json(
        _("Accuracy and group score on dev of the weights kept: value, low, high, n.")
    )
    training_loss = models.FloatField(
        null=True, blank=True, editable=False, help_text=_("Mean of the epoch kept.")
    )
    is_collapsed = models.BooleanField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("Whether it gives all questions of dev the same position as the answer."),
    )

    class Meta(Training.Meta):
        abstract = False
        verbose_name = _("fine-tuning")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            value_constraint("form", *FORMS),
            value_constraint("loss", *LOSSES),
            value_constraint("dtype", *COMPUTE_DTYPES),
            check(
                "is_of_one_set",
                Q(release__isnull=False, reference_set=None)
                | Q(release=None, reference_set__isnull=False),
                "A model is fine-tuned on a release or on a reference set.",
            ),
            check(
                "release_is_not_learned_blind",
                Q(release=None) | Q(train_split__in=RELEASE_TRAINING),
                "The answers of a release’s test split are blind, so only its training sets and "
                "dev are learned from.",
            ),
            settings_in_range(
                also=" and the largest gradient", accumulation__gte=1, warm_up__gte=0,
                warm_up__lte=1, weight_decay__gte=0, largest_gradient__gt=0,
            ),
            value_constraint("keep", *KEEPS),
            check(
                "has_one_dev_set_or_none",
                (Q(dev_release=None) | Q(dev_reference_set=None))
                & (Q(dev_release=None, dev_reference_set=None, dev_split="")
                   | (~Q(dev_release=None, dev_reference_set=None) & ~Q(dev_split=""))),
                "The dev questions are a split of a release or of a reference set.",
            ),
            check(
                "is_not_chosen_blind",
                Q(dev_release=None) | Q(dev_split=DEV),
                "The answers of a release’s test split are blind, so a model is chosen on dev.",
            ),
            check(
                "choice_needs_dev",
                Q(keep="final", patience=None) | ~Q(dev_split=""),
                "Without dev questions the weights of the last epoch are kept.",
            ),
            done_has("weights", "dynamics", "n_train", "training_loss"),
            unique(
                "is_open_once",
                ["grid", "setting", "model", "before", *DATA, *SETTINGS, "dev_release",
                 "dev_reference_set", "dev_split", "keep", "patience"],
                "This fine-tuning is under way already.",
                condition=Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]  # fmt: skip

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        """Select those of a member's campaigns, and own ones of reference sets."""
        of_set = Q((f"{path}release", None)) & cls.own(user, path)
        return Release.of_member(user, f"{path}release__") | of_set

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

    @property
    def system(self) -> str:
        """The model, what it was trained on, and how, for people; without the seed."""
        from_ = f"{self.before.system} → " if self.before else f"{self.model_name} · "
        how = f"{self.epochs} × batch {self.batch_size}, {self.learning_rate:g}"
        return f"{from_}{self.data_name} ({how})"

    @property
    def dev_accuracy(self) -> float | None:
        """Of the weights kept; None without dev questions or before the end."""
        return cast(float | None, (self.dev_metrics or {}).get("accuracy", {}).get("value"))

    @property
    def chain(self) -> "list[FineTuning]":
        """The fine-tunings that led to this model, this one last."""
        return [*(self.before.chain if self.before else []), self]


class FineTuningStep(TrainingStep):
    """A checkpoint, within an epoch or at its end."""

    run = models.ForeignKey(FineTuning, on_delete=models.CASCADE, related_name="steps")
    epoch = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    batch = models.PositiveIntegerField(help_text=_("Updates done in this epoch."))
    is_epoch_end = models.BooleanField()
    dev_accuracy = models.FloatField(
        null=True, blank=True, help_text=_("At the end of an epoch; ties are wrong.")
    )
    dev_metrics = models.JSONField(
        null=True, blank=True, help_text=_("At the end of an epoch, as in the fine-tuning.")
    )
    is_collapsed = models.BooleanField(null=True, blank=True)
    probabilities = artifact_field(
        help_text=_("At the end of an epoch: the probability of each answer, float32 (n_train,).")
    )

    class Meta(TrainingStep.Meta):
        abstract = False
        constraints: ClassVar = [
            *TrainingStep.Meta.constraints,
            check(
                "epoch_end_has_probabilities",
                Q(is_epoch_end=True)
                | Q(probabilities=None, dev_metrics=None, dev_accuracy=None, is_collapsed=None),
                "Only the end of an epoch has probabilities and figures of dev.",
            ),
        ]
