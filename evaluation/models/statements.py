"""What an evaluation of statements names: which ones, and what a classifier learns from."""

from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import OF_ONE_SET
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.methods.problems import CLASSIFIER
from knowledge.core.statistics import TABLE_6
from knowledge.models import KnowledgeRelease
from winoplatform.db.columns import optional
from winoplatform.db.constraints import check
from winoplatform.runs.columns import known

_OF_ITEMS = Q(knowledge_release=None, reasons="")
_OF_STATEMENTS = Q(release=None, reference_set=None, snapshot=None) & (
    Q(knowledge_release=None) ^ Q(reasons="")
)


class OfStatements(models.Model):
    """A row that may be of a knowledge release's problems or of imported reasons.

    Source of the methods: WinoLogic (EMNLP 2021), section 5.
    """

    # The columns that say which statements, and how a classifier is trained.
    OF_STATEMENTS = (
        "knowledge_release", "reasons", "trained_on", "seeds", "is_frozen", "rates_of",
    )  # fmt: skip
    BASELINES: ClassVar = {"causal": 1, "masked": 1, CLASSIFIER: 2, "entailment": 3}

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

    class Meta:
        abstract = True

    def clean(self) -> None:
        """Refuse seeds that repeat."""
        if len(set(self.seeds)) < len(self.seeds):
            raise ValidationError({"seeds": _("Each seed is named once.")})
        super().clean()

    @property
    def is_of_statements(self) -> bool:
        return self.knowledge_release_id is not None or bool(self.reasons)


def statement_rules() -> list[Any]:
    """Return the constraints of what an evaluation is of, and of its classifier."""
    return [
        check(
            "is_of_one_set",
            (OF_ONE_SET & _OF_ITEMS) | _OF_STATEMENTS,
            "An evaluation is of a release, of a reference set, of a snapshot, of a knowledge "
            "release or of reasons.",
        ),
        known("rates_of", "", *TABLE_6),
        check(
            "classifier_is_trained",
            (Q(method=CLASSIFIER, seeds__len__gte=1) & ~Q(trained_on="") & ~Q(rates_of=""))
            | (
                ~Q(method=CLASSIFIER)
                & Q(trained_on="", rates_of="", is_frozen=True)
                & (Q(seeds__len=0) | Q(method=ENSEMBLE))
            ),
            "A classifier, and no other method, has seeds, rates and reasons to learn from.",
        ),
        check(
            "whole_training_is_in_float32",
            Q(is_frozen=True) | Q(dtype="float32"),
            "An encoder is trained in float32.",
        ),
    ]
