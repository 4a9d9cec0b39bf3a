"""Tables of evaluations of models, and of what scoring records."""

import json
import shlex
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from corpora.core.bundle.layout import BLIND as BLIND_SPLIT
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.models.one_set import WHOLE, known_transformation
from evaluation.core.below_chance import sentence
from evaluation.methods import ITEMS, METHODS, STATEMENTS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.methods.language_models import HARNESS, REMOTE
from evaluation.methods.predictions import PREDICTIONS
from evaluation.methods.problems import CLASSIFIER
from evaluation.models.scorings import known_method, scoring_rules
from filtering.models import Encoding
from knowledge.models import KnowledgeRelease
from modeling.specs import ModelSpec
from winoplatform.db.columns import one_of, optional
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import (
    artifact_field,
    recorded_count,
    recorded_json,
    recorded_text,
    value_constraint,
)
from winoplatform.runs.models import Run, RunQuerySet, RunStatus, Step

# The columns that say which questions, and which system scores them.
ASKED = (
    "release", "reference_set", "snapshot", "split", "transformation", "method", "variant",
    "model", "dtype", "encoding", "fine_tuning",
)  # fmt: skip
# The columns that say which statements, and how a classifier is trained.
OF_STATEMENTS = (
    "knowledge_release", "reasons", "trained_on", "seeds", "is_frozen", "rates_of",
)  # fmt: skip


class EvaluationQuerySet(RunQuerySet["Evaluation"]):
    def of_items(self) -> Self:
        """Select those of questions with options."""
        return self.filter(knowledge_release=None, reasons="")

    def of_statements(self) -> Self:
        """Select those of a knowledge release or of reasons."""
        return self.exclude(knowledge_release=None, reasons="")


class Evaluation(Run):
    """A method's answers to questions with options or to statements, and their figures.

    The questions are one split of a release or of a reference set, or a whole snapshot. The
    statements are a knowledge release's problems, or imported reasons.
    Source of the methods of statements: WinoLogic (EMNLP 2021), section 5.
    """

    INPUT = "release"
    ALSO_NEEDS: ClassVar[tuple[str, ...]] = (
        "snapshot", "encoding", "fine_tuning", "knowledge_release",
    )  # fmt: skip
    WHOLE = WHOLE

    ASKED, OF_STATEMENTS = ASKED, OF_STATEMENTS
    BASELINES: ClassVar = {"causal": 1, "masked": 1, CLASSIFIER: 2, "entailment": 3}
    Dtypes = Encoding.Dtypes
    release = optional(Release, "%(class)ss")
    reference_set = optional(ReferenceSet, "%(class)ss")
    snapshot = optional(Snapshot, "%(class)ss")
    split = models.SlugField(default="dev", help_text=_("“all” for a snapshot."))
    transformation = models.SlugField(
        blank=True,
        validators=[known_transformation],
        help_text=_("Applied to the questions first; empty for none."),
    )
    method = models.SlugField(validators=[known_method])
    variant = models.SlugField(blank=True, help_text=_("Of the method; empty if it has none."))
    model = models.CharField(
        max_length=300, blank=True, help_text=_("The model under test; empty for a baseline.")
    )
    dtype = one_of(
        Dtypes.FLOAT32, help_text=_("Number format of the model’s computation, on any machine.")
    )
    encoding = optional(
        Encoding, "%(class)ss", help_text=_("The encoding whose features the linear model uses.")
    )
    fine_tuning = optional(
        "evaluation.FineTuning", "%(class)ss", help_text=_("The fine-tuned model under test.")
    )
    remote_confirmed = models.BooleanField(
        default=False,
        help_text=_("A curator confirmed that blind questions are sent to the server."),
    )

    knowledge_release = optional(KnowledgeRelease, "evaluations")
    reasons = models.SlugField(
        blank=True, help_text=_("The collection of imported reasons, instead of a set.")
    )
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
    n_learned = recorded_count(_("Scored questions that the fine-tuned model was trained on."))
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

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("evaluation")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
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
                [*ASKED, *OF_STATEMENTS, "seed", "upload", "system_name"],
                "This evaluation is under way already.",
                # Ensembles differ in their members, which are rows of another table.
                condition=Q(status__in=Run.OPEN) & ~Q(method=ENSEMBLE),
                nulls_distinct=False,
            ),
        ]

    def clean(self) -> None:
        """Require what the method answers and needs: a model or none, a variant, and so on."""
        super().clean()
        if len(set(self.seeds)) < len(self.seeds):
            raise ValidationError({"seeds": _("Each seed is named once.")})
        method = METHODS.get(self.method)
        if method is None:  # the field's validator says so
            return
        purpose = STATEMENTS if self.is_of_statements else ITEMS
        if purpose not in method.about:
            values = {"method": method.title, "asked": purpose}
            refusal = _("The method “%(method)s” does not answer %(asked)s.") % values
            raise ValidationError({"method": refusal})
        if method.has_model and not self.model:
            raise ValidationError({"model": _("This method needs a model.")})
        if not method.has_model and self.model:
            raise ValidationError({"model": _("This method has no model; leave it empty.")})
        if self.variant not in (self.variants or ("",)):
            names = ", ".join(self.variants) or _("none")
            raise ValidationError(
                {"variant": _("The variant is one of: %(names)s.") % {"names": names}}
            )
        if method.transformation and self.transformation != method.transformation:
            message = _("This method needs the transformation “%s”.") % method.transformation
            raise ValidationError({"transformation": message})

    @property
    def is_of_statements(self) -> bool:
        return self.knowledge_release_id is not None or bool(self.reasons)

    @property
    def variants(self) -> Sequence[str]:
        """The names of its method's variants that may be asked for.

        None for statements, but of an ensemble: they have no options to score in ways.
        """
        method = METHODS.get(self.method)
        names = tuple(method.variants) if method else ()
        return names[: self.method == ENSEMBLE] if self.is_of_statements else names

    @property
    def queue(self) -> str:
        method = METHODS.get(self.method)
        reads_corpus = method is not None and method.reads == "corpus"
        return "heavy" if self.model or reads_corpus else "light"

    @property
    def input_run(self) -> Run | None:
        return self.release or self.snapshot or self.knowledge_release

    @property
    def system(self) -> str:
        """What is under test, in words: the model, the method, its variant, how it is trained."""
        method = METHODS.get(self.method)
        title = str(method.title) if method else self.method
        variant = str(method.variants.get(self.variant, self.variant)) if method else self.variant
        trained = "" if self.is_frozen else str(_("whole model trained"))
        return " · ".join(filter(None, [self.named, title, variant, trained]))

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        """Select those of a member's campaigns, and own ones of sets that belong to none."""
        of_campaigns = Release.of_member(user, f"{path}release__")
        of_campaigns |= Snapshot.of_member(user, f"{path}snapshot__")
        of_campaigns |= KnowledgeRelease.of_member(user, f"{path}knowledge_release__")
        none = Q(
            *((f"{path}{name}", None) for name in ("release", "snapshot", "knowledge_release"))
        )
        return of_campaigns | (none & cls.own(user, path))

    @property
    def model_name(self) -> str:
        """The model's whole name, of a folder without its path; of a fine-tuned model, in words."""
        if self.fine_tuning is not None:
            return str(self.fine_tuning.system)
        return self.model if self._is_plain else ModelSpec.parse(self.model).public_name

    @property
    def _is_plain(self) -> bool:
        """Whether the model's name has no form of a spec: none, or that of a server's model."""
        return not self.model or self.method == REMOTE

    @property
    def campaign(self) -> Campaign | None:
        """Whose questions it scores; None for a reference set."""
        snapshot = self.snapshot or (self.release.snapshot if self.release else None)
        return snapshot.campaign if snapshot else None

    @property
    def is_blind(self) -> bool:
        """Whether it scores questions whose labels are not published."""
        if self.snapshot_id is not None:
            return True
        return self.release_id is not None and self.split == BLIND_SPLIT

    @property
    def baseline(self) -> int | None:
        """WinoLogic's number of its method; an ensemble has that of its members."""
        if self.method == ENSEMBLE:
            return next((member.baseline for member in self.members.all()), None)
        return self.BASELINES.get(self.method)

    @property
    def named(self) -> str:
        """The model, or what made predictions elsewhere; empty for a method without either."""
        if self.fine_tuning is not None:
            return str(self.fine_tuning.system)
        model = self.model if self._is_plain else ModelSpec.parse(self.model).short_name
        return model or self.system_name

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
        sentences: list[str] = []
        head_facts = self.head_check or {}
        if self.n_learned:
            sentences.append(f"The model was trained on {self.n_learned:,} of these questions.")
        elif head_facts.get("at_chance"):
            sentences.append(str(head_facts["verdict"]))
        if below := (self.metrics or {}).get("below_chance"):
            sentences.append(sentence(below))
        return " ".join(sentences)

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


class EvaluationBlock(Step):
    """The scores of some questions, stored as soon as they are computed."""

    run = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="steps")
    scores = ArrayField(
        models.FloatField(), help_text=_("Of the block’s scored questions in order, by option.")
    )
    notes = models.JSONField(
        default=dict,
        help_text=_("By question: why it was dropped or has no answer, or the evidence."),
    )


class ServerAnswer(models.Model):
    """What a server said about a text, so that no text is sent twice."""

    key = models.CharField(
        max_length=64,
        primary_key=True,
        help_text=_("SHA-256 of the address, the revision and the request."),
    )
    answer = models.TextField(help_text=_("JSON: the tokens of the text and their probabilities."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.key[:12]
