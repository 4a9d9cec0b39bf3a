"""Tables for evaluations of models on knowledge sentences and on reasons."""

from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from evaluation.models.scorings import Scoring
from knowledge.core.published import TABLE_6
from knowledge.models import KnowledgeRelease
from modeling.loaded import DTYPES
from modeling.specs import ModelSpec
from winoplatform.constraints import check, unique
from winoplatform.runs.columns import artifact_field, done_has, known
from winoplatform.runs.models import Run, RunStatus, Step

# The columns that say which statements, and which system answers them.
ASKED = [
    "release", "reasons", "method", "model", "dtype", "trained_on", "seeds", "is_frozen",
    "rates_of",
]  # fmt: skip


class KnowledgeEvaluation(Run):
    """A model's answers to the statements of a knowledge release, or of imported reasons.

    Source of the methods: WinoLogic (EMNLP 2021), section 5.
    """

    QUEUE = "heavy"
    INPUT = "release"

    class Method(models.TextChoices):
        CAUSAL = "causal", _("likelihood, causal language model")
        MASKED = "masked", _("likelihood, masked language model")
        CLASSIFIER = "classifier", _("classifier trained on reasons")
        ENTAILMENT = "entailment", _("entailment")
        MAJORITY = "majority", _("majority of models")

    BASELINES: ClassVar = {
        Method.CAUSAL: 1, Method.MASKED: 1, Method.CLASSIFIER: 2, Method.ENTAILMENT: 3,
    }  # fmt: skip

    release = models.ForeignKey(
        KnowledgeRelease,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="evaluations",
    )
    reasons = models.SlugField(
        blank=True, help_text=_("The collection of imported reasons, instead of a release.")
    )
    method = models.CharField(max_length=16, choices=Method)
    model = models.CharField(
        max_length=300, blank=True, help_text=_("The model under test; empty for a majority.")
    )
    dtype = models.CharField(max_length=16, choices=Scoring.Dtypes, default=Scoring.Dtypes.FLOAT32)
    trained_on = models.SlugField(
        blank=True, help_text=_("Of a classifier: the reasons that it learns from.")
    )
    seeds = ArrayField(
        models.PositiveBigIntegerField(), default=list, blank=True, help_text=_("Of a classifier.")
    )
    is_frozen = models.BooleanField(
        default=True, help_text=_("Of a classifier: only the linear layer is trained.")
    )
    rates_of = models.CharField(
        max_length=40,
        blank=True,
        help_text=_("Of a classifier: the model of Table 6 whose learning rates are used."),
    )
    members = models.ManyToManyField(
        "self", symmetrical=False, blank=True, related_name="majorities"
    )
    block_size = models.PositiveIntegerField(
        default=64, editable=False, validators=[MinValueValidator(1)]
    )
    # Recorded before the first step, so steps of two models or two programs are never mixed.
    weights_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    config_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    revision = models.CharField(max_length=100, blank=True, editable=False)
    data_sha256 = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text=_("Of the statements, and of those it learns from; of theirs with labels."),
    )
    code_version = models.CharField(max_length=200, blank=True, editable=False)
    head_check = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("Whether the model’s head knows plain text from shuffled words."),
    )
    answers = artifact_field(help_text=_("Each statement with its margins, one per line."))
    figures = models.JSONField(null=True, blank=True, editable=False)

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("knowledge evaluation")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            known("method", "causal", "masked", "classifier", "entailment", "majority"),
            known("dtype", *DTYPES),
            known("rates_of", "", *TABLE_6),
            check(
                "is_of_a_release_or_of_reasons",
                Q(release=None) ^ Q(reasons=""),
                "An evaluation is of a knowledge release or of reasons.",
            ),
            check(
                "majority_has_no_model",
                Q(method="majority", model="") | (~Q(method="majority") & ~Q(model="")),
                "Every method but the majority names a model.",
            ),
            check(
                "classifier_is_trained",
                (Q(method="classifier", seeds__len__gte=1) & ~Q(trained_on="") & ~Q(rates_of=""))
                | (
                    ~Q(method="classifier")
                    & Q(trained_on="", rates_of="", is_frozen=True)
                    & (Q(seeds__len=0) | Q(method="majority"))
                ),
                "A classifier, and no other method, has seeds, rates and reasons to learn from.",
            ),
            check(
                "whole_training_is_in_float32",
                Q(is_frozen=True) | Q(dtype="float32"),
                "An encoder is trained in float32.",
            ),
            done_has("answers", "figures"),
            unique(
                "is_open_once",
                ASKED,
                "This evaluation is under way already.",
                condition=Q(status__in=Run.OPEN) & ~Q(method="majority"),
                nulls_distinct=False,
            ),
        ]

    def clean(self) -> None:
        """Refuse seeds that repeat."""
        if len(set(self.seeds)) < len(self.seeds):
            raise ValidationError({"seeds": _("Each seed is named once.")})

    @property
    def input_run(self) -> Run | None:
        return self.release

    @property
    def queue(self) -> str:
        return "light" if self.method == self.Method.MAJORITY else "heavy"

    @property
    def baseline(self) -> int | None:
        """The paper's number of its method; a majority has that of its members."""
        if self.method == self.Method.MAJORITY:
            return next((one.baseline for one in self.members.all()), None)
        return self.BASELINES[self.Method(self.method)]

    @property
    def system(self) -> str:
        """What is under test, in words."""
        if self.method == self.Method.MAJORITY:
            return str(_("Majority"))
        trained = "" if self.is_frozen else str(_("whole model trained"))
        name = ModelSpec.parse(self.model).short_name
        return " · ".join(filter(None, [name, str(self.get_method_display()), trained]))

    @property
    def data_name(self) -> str:
        return self.reasons or str(self.release)

    @property
    def warning(self) -> str:
        """A sentence for people if the answers mean little; else nothing."""
        found: dict[str, Any] = self.head_check or {}
        return str(found["verdict"]) if found.get("at_chance") else ""


class KnowledgeStep(Step):
    """The margins of a block of statements, or of all that one trained classifier scores."""

    run = models.ForeignKey(KnowledgeEvaluation, on_delete=models.CASCADE, related_name="steps")
    margins = ArrayField(models.FloatField())

    class Meta(Step.Meta):
        constraints: ClassVar = [unique("is_recorded_once", ["run", "number"])]
