"""Filter runs, the one that a campaign has chosen, and measured effects of a run on biases."""

from typing import ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core.repeats import Repeats
from collection.models import Campaign
from corpora.models import Selection
from filtering.core.leaks import FoundLeak, found_leaks
from filtering.models.encodings import Encoding
from winoplatform.db.columns import at_least, one_of, optional, reference
from winoplatform.db.constraints import check, unique
from winoplatform.models import Artifact
from winoplatform.runs.columns import (
    artifact_field,
    done_has,
    recorded_json,
    recorded_text,
    value_constraint,
)
from winoplatform.runs.models import Run, RunQuerySet, RunStatus, Step

# AFLite's parameters: a filter run's settings, which distinguish it from other runs.
AFLITE_SETTINGS = ("stop", "n", "m", "k", "tau", "C", "tol", "seed", "partition", "removal")
# Settings of a control: how it ranks questions, and to what size it reduces them.
CONTROL_SETTINGS = ("method", "pmi_score", "reference", "size")
METHODS = ("aflite", "random", "pmi")
PMI_SCORES = ("signed", "absolute", "maximum", "pairs")
# A worker's memory grows with n; smaller values of tol are beyond the precision of float32.
MOST_N, LEAST_TOL = 4096, 1e-6


class FilterRunQuerySet(RunQuerySet["FilterRun"]):
    def aflite(self) -> Self:
        """Runs of AFLite itself, without its controls."""
        return self.filter(method=FilterRun.Method.AFLITE)


class FilterRun(Run):
    """AFLite or a control over one encoding (WinoGrande §3); symbols are the paper's.

    A control reduces the same questions to a size: that of a reference run, or a number. Of
    AFLite's settings it uses only the seed and the removal policy.
    """

    QUEUE = "heavy"
    INPUT = "encoding"
    ALSO_NEEDS = ("reference",)
    OUTPUT = "selection"
    SYMBOLS: ClassVar = {"n": "n", "m": "m", "k": "k", "tau": "τ", "C": "C"}

    class Method(models.TextChoices):
        AFLITE = "aflite", _("AFLite")
        RANDOM = "random", _("random reduction")
        PMI = "pmi", _("PMI filtering")

    class PmiScore(models.TextChoices):
        SIGNED = "signed", _("signed difference")
        ABSOLUTE = "absolute", _("absolute difference")
        MAXIMUM = "maximum", _("maximum")
        PAIRS = "pairs", _("token pairs")

    class Stop(models.TextChoices):
        NEUTRAL = "neutral", _("when fresh models are correct on one half")
        PUBLISHED = "published", _("when fewer than k reach τ (as published)")

    class Partition(models.TextChoices):
        INDIVIDUAL = "individual", _("single questions (as published)")
        GROUPED = "grouped", _("whole twins")

    class Removal(models.TextChoices):
        INDIVIDUAL = "individual", _("single questions (as published)")
        TOGETHER = "together", _("whole twins")

    objects = FilterRunQuerySet.as_manager()  # type: ignore[misc]  # the base has its own

    encoding = reference(Encoding, "filter_runs")
    method = one_of(Method.AFLITE, help_text=_("AFLite, or a baseline that it is compared with."))
    pmi_score = models.CharField(
        _("score"),
        max_length=16,
        choices=PmiScore,
        blank=True,
        help_text=_("How PMI filtering ranks the questions."),
    )
    reference = optional(
        "self",
        "controls",
        verbose_name=_("size as in"),
        help_text=_("The run whose number of kept questions the baseline uses."),
    )
    size = at_least(
        1, help_text=_("Number of questions that the baseline keeps, if no run sets it.")
    )
    stop = one_of(
        Stop.NEUTRAL,
        help_text=_(
            "When the removal ends. The published rule removes questions until none is answered "
            "well; fresh models are then often below one half on the kept questions."
        ),
    )
    n = models.PositiveIntegerField(
        _("models per phase"),
        default=64,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_N)],
        help_text=_("Linear models trained in each phase, each on a random part of the questions."),
    )
    m = models.PositiveIntegerField(
        _("training questions"),
        default=10_000,
        validators=[MinValueValidator(2)],
        help_text=_("Questions that each model trains on; it predicts the others."),
    )
    k = models.PositiveIntegerField(
        _("removed per step"),
        default=500,
        validators=[MinValueValidator(1)],
        help_text=_(
            "Questions removed before fresh models are measured again. With the published rule: "
            "questions removed in one phase; the run ends with a phase that finds fewer."
        ),
    )
    tau = models.FloatField(
        _("threshold"),
        default=0.75,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
        help_text=_(
            "The published rule removes questions with at least this share of correct held-out "
            "answers. The neutral rule does not use it."
        ),
    )
    C = models.FloatField(
        _("regularisation"),
        default=1.0,
        validators=[MinValueValidator(1e-6)],
        help_text=_("Inverse strength of the models’ regularisation."),
    )
    tol = models.FloatField(
        _("tolerance"),
        default=1e-3,
        validators=[MinValueValidator(LEAST_TOL)],
        help_text=_(
            "Training stops when further steps would change a model’s decisions by no more than "
            "this, relative to their size. At 0.001 at least 9,998 of 10,000 predictions equal "
            "those of the exact optimum."
        ),
    )
    seed = models.PositiveBigIntegerField(
        default=0,
        help_text=_(
            "Fixes every random choice: the same snapshot, settings and seed give the same result."
        ),
    )
    partition = one_of(
        Partition.GROUPED,
        verbose_name=_("sampling unit"),
        help_text=_("What is drawn at random for a model’s training part."),
    )
    removal = one_of(
        Removal.TOGETHER, verbose_name=_("removal unit"), help_text=_("What is removed together.")
    )
    # Recorded before the first phase: another kind of device would round differently.
    device_used = recorded_text(16, _("Device used for training."))
    selection = models.OneToOneField(
        Selection,
        editable=False,
        on_delete=models.PROTECT,
        related_name="filter_run",
        help_text=_("The questions kept."),
    )
    stop_reason = recorded_text(32)
    fresh_models = recorded_json(
        _("Held-out accuracy of fresh linear models before (all) and after (kept).")
    )
    repeats = recorded_json(
        _(
            "How many questions repeat another one, before (all) and after (kept), which linear "
            "models do not show."
        )
    )

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("filter run")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            value_constraint("stop", "neutral", "published"),
            value_constraint("partition", "individual", "grouped"),
            value_constraint("removal", "individual", "together"),
            value_constraint("method", *METHODS),
            value_constraint("pmi_score", "", *PMI_SCORES),
            check(
                "control_has_one_size",
                Q(method="aflite", reference=None, size=None)
                | (~Q(method="aflite") & Q(reference=None, size__isnull=False))
                | (~Q(method="aflite") & Q(reference__isnull=False, size=None)),
                "A control needs either a reference run or a size; AFLite takes neither.",
            ),
            check(
                "pmi_has_a_score",
                Q(method="pmi") ^ Q(pmi_score=""),
                "PMI filtering needs a score, and nothing else has one.",
            ),
            check(
                "settings_are_in_range",
                Q(n__gte=1, n__lte=MOST_N, m__gte=2, k__gte=1, tau__gte=0, tau__lte=1, C__gt=0),
                f"n is from 1 to {MOST_N}, k at least 1, m at least 2, tau from 0 to 1.",
            ),
            unique(
                "is_open_once_per_setting",
                ["encoding", *AFLITE_SETTINGS, *CONTROL_SETTINGS],
                "A run with these settings is under way already.",
                condition=Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]

    @property
    def n_kept(self) -> int | None:
        return self.selection.n_kept

    @property
    def leaks(self) -> tuple[FoundLeak, ...]:
        """Where fresh models are above or below one half on the questions kept."""
        return found_leaks(self.fresh_models)

    @property
    def repeats_kept(self) -> Repeats | None:
        """How many of the questions kept repeat another one; None if they were not counted."""
        return Repeats(**self.repeats["kept"]) if self.repeats else None

    @property
    def warnings(self) -> list[str]:
        """What is left in the questions kept: leaks, and repeats, which no leak shows."""
        repeats = self.repeats_kept
        sentences = [repeats.sentence] if repeats is not None and repeats.repeated else []
        return [*(leak.sentence for leak in self.leaks), *sentences]


class Phase(Step):
    """One phase of AFLite, with its counts and the rows it removed. A control is one phase."""

    run = models.ForeignKey(FilterRun, on_delete=models.CASCADE, related_name="steps")
    n_before = models.PositiveIntegerField()
    n_removed = models.PositiveIntegerField()
    never_held_out = models.PositiveIntegerField()
    eligible = models.PositiveIntegerField(
        help_text=_("Rows with a score high enough to be removed.")
    )
    tied_at_cutoff = models.PositiveIntegerField()
    unconverged = models.PositiveIntegerField(
        help_text=_("Classifiers that reached the step limit.")
    )
    fallbacks = models.PositiveIntegerField(
        default=0, help_text=_("Classifiers that stalled in float32 and were trained in float64.")
    )
    accuracy = models.FloatField(null=True, help_text=_("Mean held-out accuracy."))
    looks = models.JSONField(
        default=list,
        help_text=_(
            "For a run that stops at a neutral set: rows left, accuracy of fresh models and its "
            "standard error, before, between and after the removals."
        ),
    )
    stop_reason = recorded_text(32)
    histogram = models.JSONField(
        help_text=_(
            "AFLite: rows by score, or whole twins where they are removed together, in twenty bins "
            "from 0 to 1; empty for a control."
        )
    )
    counts_twins = models.BooleanField(
        default=False, help_text=_("Whether the histogram counts whole twins, not rows.")
    )
    arrays = models.ForeignKey(
        Artifact,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_(
            "int32 (4, n_before): row, correct predictions, times held out, removed; a control "
            "predicts nothing."
        ),
    )

    @property
    def n_left(self) -> int:
        return self.n_before - self.n_removed


class RunChoice(models.Model):
    """The AFLite run whose results a campaign shows, instead of that of its latest release."""

    campaign = models.OneToOneField(
        Campaign, primary_key=True, on_delete=models.CASCADE, related_name="run_choice"
    )
    run = models.OneToOneField(FilterRun, on_delete=models.PROTECT, related_name="choice")
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    chosen_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("choice of a filter run")
        ordering: ClassVar = ["campaign"]

    def __str__(self) -> str:
        return f"{self.campaign} shows {self.run}"


class Assessment(Run):
    """Measurements on the questions before a filter run, those kept and those removed."""

    QUEUE = "heavy"
    INPUT = "filter_run"

    filter_run = models.ForeignKey(FilterRun, on_delete=models.CASCADE, related_name="assessments")
    seed = models.PositiveBigIntegerField(
        default=0, help_text=_("Of folds and samples; use the same seed to compare figures.")
    )
    report = artifact_field(help_text=_("All parts as one canonical JSON document."))
    places = artifact_field(
        help_text=_(
            "float32 (n, 1 or 2): the questions of the encoding on their principal components."
        )
    )

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("assessment")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            done_has("report"),
            unique(
                "is_open_once_per_run",
                ["filter_run"],
                "An assessment of this run is under way already.",
                condition=Q(status__in=Run.OPEN),
            ),
        ]


class AssessmentPart(Step):
    """One kind of evidence, stored as soon as it is computed."""

    run = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="steps")
    name = models.CharField(max_length=32)
    figures = models.JSONField()
