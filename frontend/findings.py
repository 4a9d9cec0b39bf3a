"""What was found, and verdicts, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from collection.models import Question
from filtering.models import FilterRun
from filtering.services import ALL_CONTROLS, missing_controls
from validation.core.verdicts import REASONS, Reason
from validation.models import Verdict, VerdictEvent

Figures = Mapping[str, Any]

DIRECTIONS: dict[str | None, Any] = {
    "above": later("above one half"),
    "below": later("below one half"),
    "none": later("nothing found"),
    None: later("not measurable"),
}
FRESH_ROWS = (("all", later("Before")), ("kept", later("After")))
# Krippendorff's thresholds (Content Analysis, 2004, ch. 11), with the decimals that are shown.
RELIABLE, TENTATIVE, DECIMALS = 0.8, 0.667, 3
ENDS: dict[str | None, Any] = {
    "above": later("fresh linear models are above one half on the kept ones: a bias remains"),
    "below": later("fresh linear models are below one half on the kept ones, which leaks as well"),
    "none": later("fresh linear models find neither bias nor leak in the kept ones"),
    None: later("the kept ones are too few to measure fresh linear models"),
}


def verdict(run: FilterRun) -> str:
    """Say what a run removed and what fresh models still predict; empty before it is done."""
    if run.n_kept is None:
        return ""
    before = run.encoding.n_questions or 0
    counts = {"removed": f"{before - run.n_kept:,}", "n": f"{before:,}"}
    size = ngettext(
        "%(removed)s of %(n)s questions was removed",
        "%(removed)s of %(n)s questions were removed",
        before - run.n_kept,
    )
    if before == run.n_kept:
        size = _("Nothing was removed: all %(n)s questions are kept")
    sentence = f"{'; '.join([size % counts, *_end(run)])}."
    return " ".join(filter(None, (_bias_before(run), sentence, _power(run))))


def _bias_before(run: FilterRun) -> str:
    found = (run.fresh_models or {}).get("all", {}).get("grouped") or {}
    is_biased = (found.get("leak") or {}).get("direction") == "above"
    return _("A bias was found.") if is_biased else ""


def _fresh_results(run: FilterRun) -> dict[str, Any]:
    results = (run.fresh_models or {}).get("kept") or {}
    return results.get("grouped") or {}


def _end(run: FilterRun) -> list[str]:
    if not run.fresh_models:
        return []
    leak = _fresh_results(run).get("leak")
    return [str(ENDS[leak["direction"] if leak else None])]


def _power(run: FilterRun) -> str:
    """Say which accuracy would have been found, if no side was."""
    probe = _fresh_results(run)
    return detectable(probe) if probe.get("leak") else ""


def p_value(p: float | None) -> str:
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def detectable(probe: Figures) -> str:
    """Say what the test would have found, if it found nothing."""
    leak = probe["leak"]
    if leak["direction"] != "none" or leak.get("detectable") is None:
        return ""
    return _(
        "An accuracy of %(above)s or more, or of %(below)s or less, would have been found with a "
        "probability of 80%%."
    ) % {"above": f"{leak['detectable']:.1%}", "below": f"{1 - leak['detectable']:.1%}"}


def controls_button(run: FilterRun) -> str:
    """Return the label of the button that starts a run's controls; empty if all exist."""
    n = len(missing_controls(run))
    if n in (0, len(ALL_CONTROLS)):
        return _("Run baselines") if n else ""
    return ngettext("Run the %d missing baseline", "Run the %d missing baselines", n) % n


REASON_NAMES = {
    Reason.WRONG_ANSWER: later("not the author's answer"),
    Reason.AMBIGUOUS: later("ambiguous"),
    Reason.LOCAL: later("known from the local context"),
    Reason.EXCLUDED: later("not used (curator's decision)"),
    Reason.RETURNED: later("returned for revision"),
}


def reason_name(code: str) -> str:
    """Return the name of a reason; the code itself if it is unknown."""
    return str(REASON_NAMES[Reason(code)]) if code in set(Reason) else code


def reason_sentence(code: str) -> str:
    """Return why a question failed, in a sentence; the code itself if it is unknown."""
    return _(REASONS[Reason(code)]) if code in set(Reason) else code


def reason_names() -> dict[str, str]:
    return {code.value: reason_name(code.value) for code in REASONS}


def answer_of(question: Question) -> str:
    """Return the option that the author meant."""
    return question.twin.options[question.answer - 1]


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """A verdict in words: a state (good, bad or todo), its name, its votes and reasons."""

    state: str
    name: str
    votes: dict[str, int]
    reasons: tuple[str, ...]

    @property
    def counts(self) -> str:
        if not self.votes:
            return ""
        text = _(
            "%(correct)d of %(votes)d chose the correct answer, %(ambiguous)d found it ambiguous, "
            "%(local)d knew the answer from the local context"
        )
        return text % self.votes


def verdict_words(verdict: Verdict | None) -> VerdictWords:
    if verdict is None:
        return VerdictWords("todo", _("no verdict yet"), {}, ())
    name = _("valid") if verdict.valid else _("not valid")
    if verdict.decided_by_id is not None:
        name = _("%(verdict)s, by a curator") % {"verdict": name}
    return VerdictWords(
        "good" if verdict.valid else "bad",
        name,
        _votes(verdict.counts),
        tuple(reason_sentence(code) for code in verdict.reasons),
    )


def _votes(counts: dict[str, int]) -> dict[str, int]:
    """Return how many votes there are, and how many say what; nothing without votes."""
    if not counts.get("votes"):
        return {}
    ambiguous = counts["votes"] - counts.get("unambiguous", 0)
    values = {name: counts.get(name, 0) for name in ("votes", "correct", "local")}
    return values | {"ambiguous": ambiguous}


@dataclass(frozen=True, slots=True)
class AuditLogLine:
    event: VerdictEvent
    before: str
    after: str


def audit_log_lines(events: list[VerdictEvent]) -> list[AuditLogLine]:
    """Return the audit log of a question, in words."""
    return [
        AuditLogLine(event, _side(event, event.before), _side(event, event.after))
        for event in events
    ]


def _side(event: VerdictEvent, results: dict[str, Any] | None) -> str:
    if results is None:
        return _("no verdict")
    if event.action in VerdictEvent.ABOUT_VOTES:
        return _vote(results)
    if results.get("valid"):
        return _("valid")
    names = ", ".join(reason_name(code) for code in results.get("reasons", []))
    return _("not valid: %(reasons)s") % {"reasons": names}


def _vote(counts: dict[str, Any]) -> str:
    clear = _("ambiguous") if counts.get("ambiguous") else _("not ambiguous")
    words = _("option %(option)s, %(clear)s") % {"option": counts.get("option"), "clear": clear}
    return _("%(vote)s, not used") % {"vote": words} if counts.get("excluded_at") else words
