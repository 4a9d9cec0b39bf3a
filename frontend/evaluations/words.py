"""Evaluations and what they score, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from evaluation.core.predictions import FORMATS, REASONS
from evaluation.models import Evaluation, StarterLoad
from frontend.runs.words import RunWords, register
from frontend.shell.evaluations import questions_of
from frontend.templatetags.pages import estimate

KINDS: dict[str, Any] = {
    "release": later("release"),
    "reference-set": later("reference set"),
    "snapshot": later("snapshot"),
}


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


class EvaluationWords(RunWords[Evaluation]):
    stage = 6
    related = (
        "reference_set", "snapshot__campaign", "fine_tuning__release",
        "fine_tuning__reference_set", "knowledge_release",
    )  # fmt: skip

    def about(self, run: Evaluation) -> str:
        of = run.data_name if run.is_of_statements else questions_of(run)
        return f"{run.system} · {of}"

    def progress(self, run: Evaluation) -> str:
        if run.metrics:
            return _("accuracy %s") % estimate(run.metrics["accuracy"])
        return super().progress(run)

    def short(self, run: Evaluation) -> str:
        found = (run.metrics or {}).get("accuracy") or {}
        share = found.get("value")
        return run.system if share is None else f"{share:.1%} {run.system}"

    def href(self, run: Evaluation) -> str:
        if run.knowledge_release is not None:
            return reverse("knowledge-release", args=[run.knowledge_release.name])
        if run.reasons:
            return reverse("reason-figures", args=[run.reasons])
        return reverse("evaluation", args=[run.public_id])


class StarterLoadWords(RunWords[StarterLoad]):
    def progress(self, run: StarterLoad) -> str:
        return f"{run.share:.0%}" if run.total else ""


register(Evaluation, EvaluationWords())
register(StarterLoad, StarterLoadWords())
