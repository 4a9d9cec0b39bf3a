"""Evaluations in words."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext
from scipy.special import ndtri

from evaluation.core.comparison import ALPHA, Versus
from evaluation.core.predictions import FORMATS, REASONS
from evaluation.models import Evaluation, StarterLoad
from evaluation.selectors.comparisons import System
from filtering.core.leaks import POWER
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
    not_understood = tuple(
        NotUnderstood(n, REASONS[name], tuple(map(tuple, examples.get(name, ()))))
        for name, n in reasons
    )
    return PredictionReport(FORMATS[run.report["read_as"]["format"]], run.report, not_understood)


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
        accuracy = (run.metrics or {}).get("accuracy") or {}
        share = accuracy.get("value")
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


Z = ndtri(0.975)


def verdict(run: Evaluation) -> str:
    """Say how accurate a system is, and whether that is told from chance; empty before its end."""
    accuracy = (run.metrics or {}).get("accuracy")
    if not accuracy or accuracy["value"] is None:
        return ""
    text = _("%(system)s is right on %(share)s of the questions") % {
        "system": run.system,
        "share": _share(accuracy),
    }
    return f"{capfirst(text)}{_beside_chance(accuracy, (run.metrics or {}).get('chance'))}."


def _beside_chance(accuracy: Mapping[str, Any], chance: Mapping[str, Any] | None) -> str:
    level = chance and chance["value"]
    if level is None or accuracy["low"] is None:
        return ""
    names = {"chance": f"{level:.1%}"}
    if accuracy["low"] > level:
        return _(", above chance (%(chance)s)") % names
    if accuracy["high"] < level:
        return _(", below chance (%(chance)s)") % names
    error = (accuracy["high"] - accuracy["low"]) / (2 * Z)
    names["points"] = f"{100 * error * (Z + ndtri(POWER)):.1f}"
    return (
        _(
            ", which is not told from chance (%(chance)s); a difference of about %(points)s points "
            "would have been found with a probability of 80%%"
        )
        % names
    )


def best_of(systems: list[System], margin: float | None = None) -> str:
    """Name the most accurate of the systems and say how many others are found less accurate.

    With the *margin* that was tested, also how many are shown to be equivalent.
    """
    ranked = sorted(systems, key=lambda system: -(system.figures.accuracy.value or 0))
    if not ranked or ranked[0].figures.accuracy.value is None:
        return ""
    best, others = ranked[0], [system for system in ranked[1:] if system.figures.versus]
    text = _("%(system)s is right on %(share)s of the questions") % {
        "system": best.name,
        "share": _share(asdict(best.figures.accuracy)),
    }
    tests = [system.figures.versus for system in others]
    return "; ".join([capfirst(text), *_beside(tests), *_equivalent(tests, margin)]) + "."


def _equivalent(tests: Sequence[Versus | None], margin: float | None) -> list[str]:
    if margin is None or not tests:
        return []
    n = sum(test is not None and test.equivalence.p <= ALPHA for test in tests)
    return [
        ngettext(
            "%(n)s is shown to differ from it by less than %(points)s points",
            "%(n)s are shown to differ from it by less than %(points)s points",
            n,
        )
        % {"n": n, "points": f"{100 * margin:g}"}
    ]


def _share(accuracy: Mapping[str, Any]) -> str:
    """Format a share with its interval and n; few questions have no interval."""
    return f"{accuracy['value']:.1%}" if accuracy["low"] is None else estimate(accuracy)


def _beside(others: Sequence[Versus | None]) -> list[str]:
    """Say how many of the others are less accurate, and what would have been found of the rest."""
    tests = [test for test in others if test is not None]
    if not tests:
        return []
    equal = [test.detectable for test in tests if test.p_corrected > ALPHA]
    text = _worse(len(tests) - len(equal), len(tests))
    if not equal or max(equal) >= 1:
        return [text]
    points = f"{100 * max(equal):.1f}"
    return [
        text,
        _("a difference of %s points would have been found with a probability of at least 80%%")
        % points,
    ]


def _worse(worse: int, n: int) -> str:
    if not worse:
        return _("no other system is found to be less accurate")
    if n == 1:
        return _("the other system is found to be less accurate")
    text = ngettext(
        "%(worse)s of %(n)s other systems is found to be less accurate",
        "%(worse)s of %(n)s other systems are found to be less accurate",
        worse,
    )
    return text % {"worse": worse, "n": n}
