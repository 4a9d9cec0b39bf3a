"""What is scored and how: the rules of the columns that a request for scores has."""

from typing import Any

from django.db.models import Q

from corpora.models.one_set import BLIND, OF_ONE_SET, WHOLE, require_known
from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.methods.fine_tuned import FINE_TUNED
from evaluation.methods.language_models import REMOTE
from evaluation.methods.problems import CLASSIFIER
from knowledge.core.statistics import TABLE_6
from modeling.loaded import DTYPES
from winoplatform.db.constraints import check
from winoplatform.runs.columns import value_constraint

_OF_ITEMS = Q(knowledge_release=None, reasons="")
_OF_STATEMENTS = Q(release=None, reference_set=None, snapshot=None) & (
    Q(knowledge_release=None) ^ Q(reasons="")
)


def known_method(name: str) -> None:
    """Validate the name of a method; not an enumeration in the table, so a method is one module."""
    require_known("method", name, METHODS)


def scoring_rules() -> list[Any]:
    """Return the constraints of what is asked."""
    whole = check(
        "snapshot_is_scored_whole",
        Q(snapshot=None) | Q(split=WHOLE),
        "A snapshot has no splits: it is scored whole.",
    )
    return [value_constraint("dtype", *DTYPES), whole, *_rules_of_system(), *_rules_of_statements()]


def _rules_of_system() -> list[Any]:
    return [
        check(
            "linear_has_an_encoding",
            Q(method="linear", encoding__isnull=False) | (~Q(method="linear") & Q(encoding=None)),
            "Only the linear model uses an encoding.",
        ),
        check(
            "fine_tuned_has_a_model",
            Q(method=FINE_TUNED, fine_tuning__isnull=False)
            | (~Q(method=FINE_TUNED) & Q(fine_tuning=None)),
            "The method “fine_tuned”, and no other one, scores a fine-tuned model.",
        ),
        check(
            "encoding_has_no_transformation",
            Q(encoding=None) | Q(transformation=""),
            "An encoding has features of the questions as they are, not transformed.",
        ),
        check(
            "blind_questions_are_sent_if_confirmed",
            ~Q(method=REMOTE) | ~BLIND | Q(remote_confirmed=True),
            "Blind questions are sent to a server only if a curator confirms it.",
        ),
    ]


def _rules_of_statements() -> list[Any]:
    """Return the constraints of what an evaluation is of, and of its classifier."""
    return [
        check(
            "is_of_one_set",
            (OF_ONE_SET & _OF_ITEMS) | _OF_STATEMENTS,
            "An evaluation is of a release, of a reference set, of a snapshot, of a knowledge "
            "release or of reasons.",
        ),
        value_constraint("rates_of", "", *TABLE_6),
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
