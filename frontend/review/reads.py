"""The review queue and its audit log, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Campaign, Question
from frontend.my_work.reads import reason_sentence
from validation.core.posteriors import Model
from validation.core.verdicts import REASONS, Reason
from validation.models import Case, Verdict, VerdictEvent
from validation.selectors.review_queue import DOUBT, OPEN, review_queue

REASON_NAMES = {
    Reason.WRONG_ANSWER: later("not the author's answer"),
    Reason.AMBIGUOUS: later("ambiguous"),
    Reason.LOCAL: later("known from the local context"),
    Reason.EXCLUDED: later("not used (curator's decision)"),
    Reason.RETURNED: later("returned for revision"),
}

MODELS = {
    Model.EQUAL: later("a model in which all validators are equally reliable"),
    Model.ONE_COIN: later("the one-coin model, with one reliability for each validator"),
    Model.DAWID_SKENE: later("the Dawid–Skene model, with each validator’s reliability and habits"),
}


def reason_name(code: str) -> str:
    """Return the name of a reason; the code itself if it is unknown."""
    return str(REASON_NAMES[Reason(code)]) if code in set(Reason) else code


def reason_names() -> dict[str, str]:
    return {code.value: reason_name(code.value) for code in REASONS}


def filtered(campaign: Campaign, chosen: dict[str, str]) -> QuerySet[Case]:
    """Return the cases that match a curator's filters."""
    doubt = int(chosen.get("doubt", DOUBT))
    cases = review_queue(campaign, state=chosen.get("state", OPEN), doubt=doubt)
    if chosen.get("only") == "reported":
        cases = cases.filter(reports__gt=0)
    elif chosen.get("only") == "appealed":
        cases = cases.filter(appealed=True)
    elif chosen.get("only") == "flagged":
        cases = cases.filter(flagged=True)
    elif chosen.get("only") == "suspected":
        cases = cases.filter(suspected=True)
    if "reason" in chosen:
        cases = cases.filter(question__verdict__reasons__contains=[chosen["reason"]])
    if "domain" in chosen:
        cases = cases.filter(domain=chosen["domain"])
    return cases


def answer_of(question: Question) -> str:
    """Return the option that the author meant."""
    return question.twin.options[question.answer - 1]


def own_answer(asked: Mapping[str, str]) -> int | None:
    """Return the answer that a curator gave before the author's was shown; 0: cannot tell."""
    return {"0": 0, "1": 1, "2": 2}.get(asked.get("own", ""))


def own_words(question: Question, own: int | None) -> str:
    """Return the curator's own answer in words; empty if there is none."""
    if own is None:
        return ""
    if own == 0:
        return _("You could not tell before the answer was shown.")
    option = question.twin.options[own - 1]
    if own == question.answer:
        return _("You chose “%(option)s”, as the author did.") % {"option": option}
    return _("You chose “%(option)s”; the author’s answer is another one.") % {"option": option}


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
