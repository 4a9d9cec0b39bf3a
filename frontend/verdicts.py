"""Verdicts, their reasons and their audit log, in words."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Question
from validation.core.verdicts import REASONS, Reason
from validation.models import Verdict, VerdictEvent

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
        said = _(
            "%(correct)d of %(votes)d chose the correct answer, %(ambiguous)d found it ambiguous, "
            "%(local)d knew the answer from the local context"
        )
        return said % self.votes


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
    said = {name: counts.get(name, 0) for name in ("votes", "correct", "local")}
    return said | {"ambiguous": ambiguous}


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


def _side(event: VerdictEvent, kept: dict[str, Any] | None) -> str:
    if kept is None:
        return _("no verdict")
    if event.action in VerdictEvent.ABOUT_VOTES:
        return _vote(kept)
    if kept.get("valid"):
        return _("valid")
    names = ", ".join(reason_name(code) for code in kept.get("reasons", []))
    return _("not valid: %(reasons)s") % {"reasons": names}


def _vote(kept: dict[str, Any]) -> str:
    clear = _("ambiguous") if kept.get("ambiguous") else _("not ambiguous")
    words = _("option %(option)s, %(clear)s") % {"option": kept.get("option"), "clear": clear}
    return _("%(vote)s, not used") % {"vote": words} if kept.get("excluded_at") else words
