"""The table of evaluations of models."""

import json
import shlex
from typing import ClassVar, Self

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from evaluation.core.below_chance import sentence
from evaluation.methods.causal import HARNESS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.methods.predictions import PREDICTIONS
from evaluation.models.scorings import Scoring, scoring_rules
from modeling.specs import ModelSpec
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import artifact_field, known, recorded_json, recorded_text
from winoplatform.runs.models import Run, RunQuerySet, RunStatus


class EvaluationQuerySet(RunQuerySet["Evaluation"]):
    def of_items(self) -> Self:
        """Select those of questions with options."""
        return self.filter(knowledge_release=None, reasons="")

    def of_statements(self) -> Self:
        """Select those of a knowledge release or of reasons."""
        return self.exclude(knowledge_release=None, reasons="")


class Evaluation(Scoring):
    """A method's answers to questions with options or to statements, and their figures."""

    seed = models.PositiveBigIntegerField(default=0, help_text=_("Of the random answers."))
    members = models.ManyToManyField(
        "self",
        symmetrical=False,
        blank=True,
        related_name="ensembles",
        help_text=_("Of an ensemble: the evaluations whose scores it combines."),
    )
    system_name = models.CharField(
        max_length=100, blank=True, help_text=_("Of predictions made elsewhere: what made them.")
    )
    upload = artifact_field(help_text=_("The file of predictions made elsewhere."))
    report = recorded_json(
        _("How that file was read, and what was missing, unknown or not understood.")
    )
    # Stored per run: after an update with another block size the run could not be resumed.
    block_size = models.PositiveIntegerField(
        default=128,  # seconds of work for a small model
        editable=False,
        validators=[MinValueValidator(1)],
        help_text=_("Questions in a block."),
    )
    # Recorded before the first block, so blocks of two models or two programs are never mixed.
    weights_sha256 = recorded_text(64)
    config_sha256 = recorded_text(64, _("Of the model’s configuration and tokenizer."))
    revision = recorded_text(100, _("The hub’s commit, or the package’s version."))
    data_sha256 = recorded_text(64, _("Of the scored items’ canonical lines, without answers."))
    corpus_sha256 = recorded_text(64, _("Of the sentences that the method reads, one per line."))
    n_learned = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("Scored questions that the fine-tuned model was trained on."),
    )
    head_check = recorded_json(_("Whether the model’s head knows plain text from shuffled words."))
    code_version = recorded_text(
        200, _("The hash of the code that computes scores, and its libraries’ versions.")
    )
    dropped = recorded_json(
        _("By reason: the questions that the transformation or the method dropped.")
    )
    predictions = artifact_field(help_text=_("qID, predicted option and scores, one per line."))
    metrics = recorded_json(_("By metric: value, low, high, n."))
    figures = recorded_json(_("Of statements, instead of metrics."))

    objects = EvaluationQuerySet.as_manager()  # type: ignore[misc]  # the base has its own

    class Meta(Scoring.Meta):
        abstract = False
        verbose_name = _("evaluation")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            *scoring_rules(),
            check(
                "predictions_have_a_file_and_a_name",
                (Q(method=PREDICTIONS, upload__isnull=False) & ~Q(system_name=""))
                | (~Q(method=PREDICTIONS) & Q(upload=None, system_name="")),
                "Predictions made elsewhere have a file and the name of what made them.",
            ),
            check(
                "done_has_its_results",
                ~Q(status=RunStatus.DONE)
                | Q(predictions__isnull=False)
                & (Q(metrics__isnull=False) | Q(figures__isnull=False)),
                "A run that is done has its results.",
            ),
            unique(
                "is_open_once",
                [*Scoring.ASKED, *Scoring.OF_STATEMENTS, "seed", "upload", "system_name"],
                "This evaluation is under way already.",
                # Ensembles differ in their members, which are rows of another table.
                condition=Q(status__in=Run.OPEN) & ~Q(method=ENSEMBLE),
                nulls_distinct=False,
            ),
        ]

    @property
    def baseline(self) -> int | None:
        """WinoLogic's number of its method; an ensemble has that of its members."""
        if self.method == ENSEMBLE:
            return next((one.baseline for one in self.members.all()), None)
        return self.BASELINES.get(self.method)

    @property
    def named(self) -> str:
        """The model, or what made predictions elsewhere; empty for a method without either."""
        return super().named or self.system_name

    @property
    def nothing_to_score(self) -> str:
        """The failure of a run whose split is empty: resumed, it would fail again."""
        return f"There are no questions in {self.split}."

    @property
    def can_resume(self) -> bool:
        return super().can_resume and self.failure != self.nothing_to_score

    @property
    def system_seed(self) -> int:
        """That of a fine-tuned model's training; else the evaluation's own."""
        return self.fine_tuning.seed if self.fine_tuning else self.seed

    @property
    def warning(self) -> str:
        """Sentences for people if the scores mean little or may be reversed; else nothing."""
        said: list[str] = []
        found = self.head_check or {}
        if self.n_learned:
            said.append(f"The model was trained on {self.n_learned:,} of these questions.")
        elif found.get("at_chance"):
            said.append(str(found["verdict"]))
        if below := (self.metrics or {}).get("below_chance"):
            said.append(sentence(below))
        return " ".join(said)

    @property
    def harness_command(self) -> str:
        """The command by which lm-evaluation-harness gives the same choices, if there is one.

        It is run in the release's folder. A start token that the model's tokenizer does not put
        first is named; without it the command gives the figures of the variant for the harness.
        """
        release = self.release
        if release is None or self.method != "causal" or self.split != "dev":
            return ""
        if self.variant not in ("partial", HARNESS) or self.transformation:
            return ""
        name = self.model if ModelSpec.parse(self.model).kind == "hub" else "MODEL"
        words = [
            "lm_eval", "--model", "hf", "--model_args", f"pretrained={name},dtype={self.dtype}",
            "--tasks", release.name, "--include_path", "harness",
        ]  # fmt: skip
        read = self.head_check or {}
        if self.variant != HARNESS and read.get("start") and not read.get("start_is_own"):
            words += ["--metadata", json.dumps({"start": read["start"]})]
        return shlex.join(words)

    @property
    def data_name(self) -> str:
        """The set, its split and the transformation, without the release; or the statements."""
        if self.is_of_statements:
            return self.reasons or str(self.knowledge_release)
        of = self.reference_set.name if self.reference_set else ""
        return " ".join(filter(None, [of, self.split, self.transformation]))
