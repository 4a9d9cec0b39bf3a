"""Tables of fine-tuned models: each is one cell of a grid, or belongs to none."""

from typing import ClassVar, cast

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import DEV
from corpora.models import ReferenceSet, Release
from evaluation.models.grids import Grid
from evaluation.models.trainings import KEPT, Training, training_rules
from winoplatform.constraints import check, unique
from winoplatform.runs.columns import artifact_field, done_has, known
from winoplatform.runs.models import Run, RunStatus, Step


class FineTuning(Training):
    """A model fine-tuned as multiple choice.

    Its weights are scored by evaluations of the method ``fine_tuned``, which wait for it.
    """

    ALSO_NEEDS: ClassVar[tuple[str, ...]] = ("before", "dev_release")
    DEV = ("dev_release", "dev_reference_set", "dev_split")
    STOPS = ("keep", "patience", "checkpoint_every")

    class Kept(models.TextChoices):
        BEST = "best", _("of the epoch that is best on dev")
        FINAL = "final", _("of the last epoch")

    grid = models.ForeignKey(
        Grid, null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="cells"
    )
    setting = models.SlugField(
        blank=True, editable=False, help_text=_("Its name among the cells of a grid.")
    )
    dev_release = models.ForeignKey(
        Release, null=True, blank=True, on_delete=models.PROTECT, related_name="validated"
    )
    dev_reference_set = models.ForeignKey(
        ReferenceSet, null=True, blank=True, on_delete=models.PROTECT, related_name="validated"
    )
    dev_split = models.SlugField(
        blank=True, help_text=_("The questions by which the epoch or the cell is chosen.")
    )
    keep = models.SlugField(choices=Kept, default=Kept.BEST, help_text=_("Which weights are kept."))
    patience = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Stop after so many epochs without a better accuracy on dev; empty: never."),
    )
    checkpoint_every = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Updates between recorded states; empty: at the end of each epoch."),
    )
    # Recorded before the first step, so steps of two models or two programs are never mixed.
    base_sha256 = models.CharField(
        max_length=64, blank=True, editable=False, help_text=_("Of the weights it starts from.")
    )
    config_sha256 = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text=_("Of the model’s configuration and tokenizer."),
    )
    revision = models.CharField(
        max_length=100,
        blank=True,
        editable=False,
        help_text=_("The hub’s commit, or the package’s version."),
    )
    data_sha256 = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text=_("Of the lines of the questions trained on and of dev, without answers."),
    )
    code_version = models.CharField(
        max_length=200,
        blank=True,
        editable=False,
        help_text=_("The hash of the code that trains, and its libraries’ versions."),
    )
    n_train = models.PositiveIntegerField(null=True, blank=True, editable=False)
    weights = artifact_field(help_text=_("The fine-tuned model, as safetensors."))
    dynamics = artifact_field(
        help_text=_("By question trained on: its id, and by epoch the probability of its answer.")
    )
    dev_metrics = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("Accuracy and group score on dev of the weights kept: value, low, high, n."),
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
            known("status", *RunStatus.values),
            *training_rules(),
            known("keep", *KEPT),
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
                Q(keep=KEPT[1], patience=None) | ~Q(dev_split=""),
                "Without dev questions the weights of the last epoch are kept.",
            ),
            done_has("weights", "dynamics", "n_train", "training_loss"),
            unique(
                "is_open_once",
                ["grid", "setting", *Training.ASKED, "dev_release", "dev_reference_set",
                 "dev_split", "keep", "patience"],
                "This fine-tuning is under way already.",
                condition=Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]  # fmt: skip

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


class FineTuningStep(Step):
    """A checkpoint, within an epoch or at its end.

    Only the newest step, from which training continues, and the best one, whose weights may be
    kept, have a state. All states are deleted when the fine-tuning is done.
    """

    run = models.ForeignKey(FineTuning, on_delete=models.CASCADE, related_name="steps")
    epoch = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    batch = models.PositiveIntegerField(help_text=_("Updates done in this epoch."))
    is_epoch_end = models.BooleanField()
    loss = models.FloatField(help_text=_("Mean training loss of the epoch so far."))
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
    state = artifact_field(help_text=_("Weights, optimiser and random state, as safetensors."))

    class Meta(Step.Meta):
        constraints: ClassVar = [
            unique("is_recorded_once", ["run", "number"]),
            check(
                "epoch_end_has_probabilities",
                Q(is_epoch_end=True)
                | Q(probabilities=None, dev_metrics=None, dev_accuracy=None, is_collapsed=None),
                "Only the end of an epoch has probabilities and figures of dev.",
            ),
        ]
