"""Evaluations and what they score, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as later

from evaluation.core.predictions import FORMATS, REASONS
from evaluation.models import Evaluation
from evaluation.selectors import in_words

KINDS: dict[str, Any] = {
    "release": later("release"),
    "reference-set": later("reference set"),
    "snapshot": later("snapshot"),
}


def questions_of(run: Evaluation) -> str:
    """Name the set, the split and the transformation of an evaluation."""
    if run.release is not None:
        name = run.release.name
    elif run.reference_set is not None:
        name = run.reference_set.title
    else:
        assert run.snapshot is not None
        name = f"{run.snapshot.campaign.name} {str(run.snapshot.public_id)[:8]}"
    return " · ".join(filter(None, [name, run.split, in_words(run.transformation)]))


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Answers that were not understood for one reason: their number, and the first of them."""

    n: int
    why: str
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PredictionReport:
    """How a file of predictions was read; ``figures`` has the counts of the stored report."""

    format: str
    figures: Mapping[str, Any]
    not_understood: tuple[NotUnderstood, ...]


def report_of(run: Evaluation) -> PredictionReport | None:
    """Return how the file of an evaluation was read; None if it has none."""
    if run.report is None:
        return None
    reasons = sorted(run.report["reasons"].items(), key=lambda pair: -pair[1])
    examples = run.report["examples"]
    found = tuple(
        NotUnderstood(n, REASONS[name], tuple(map(tuple, examples.get(name, ()))))
        for name, n in reasons
    )
    return PredictionReport(FORMATS[run.report["read_as"]["format"]], run.report, found)
