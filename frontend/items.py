"""Items and twins as pages list them."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Question, Twin
from corpora.core.items import Item
from filtering.selectors import FilterResult, filter_results
from frontend.findings import reason_sentence
from frontend.marks import Piece, with_blank
from validation.core.verdicts import Reason
from validation.models import TwinReturn, Verdict
from validation.models.votes import that_count
from validation.services.review.appeals import WINDOW

RELATIONS: dict[str | None, Any] = {
    "cause": later("What was the cause?"),
    "effect": later("What happened as a result?"),
}


def pieces_of(item: Item) -> list[Piece]:
    """Return the sentence with its blank or its pronoun as a separate piece."""
    if item.form in ("blank", "statement"):
        return with_blank(item.sentence)
    if item.span is None:
        return [Piece(item.sentence)]
    start, end = item.span
    pronoun = Piece(item.sentence[start:end], "changed")
    return [Piece(item.sentence[:start]), pronoun, Piece(item.sentence[end:])]


def question_of(item: Item) -> str:
    """Return the question that an item asks beside its sentence; empty for a blank."""
    if item.form == "premise":
        return str(RELATIONS[item.relation])
    if item.span is None:
        return ""
    pronoun = item.sentence[slice(*item.span)]
    if item.form == "truth":
        names = {"pronoun": pronoun, "candidate": item.candidate}
        return _("Does “%(pronoun)s” refer to “%(candidate)s”?") % names
    return _("What does “%s” refer to?") % pronoun


@dataclass(frozen=True, slots=True)
class QuestionState:
    """A question with the state of its votes; ``state`` is good, bad or todo."""

    question: Question
    answer: str
    state: str
    state_name: str
    reasons: tuple[str, ...]
    votes: int
    right: int
    ambiguous: int
    local: int
    is_touched: bool = False
    may_appeal: bool = False
    result: str = ""


@dataclass(frozen=True, slots=True)
class TwinState:
    twin: Twin
    questions: tuple[QuestionState, ...]

    @property
    def is_untouched(self) -> bool:
        """Return whether it has no votes, so that its writer can still change it."""
        is_replaced = hasattr(self.twin, "revised_by")
        return not is_replaced and not any(question.is_touched for question in self.questions)

    @property
    def returned(self) -> TwinReturn | None:
        """Return a curator's request for revision, until its writer has revised the twin."""
        back: TwinReturn | None = getattr(self.twin, "returned", None)
        return back if self.twin.withdrawn_at is None else None


def with_questions(twins: QuerySet[Twin]) -> QuerySet[Twin]:
    """Fetch the questions of *twins* with verdicts and vote counts, in one more query."""
    questions = Question.objects.select_related("verdict").annotate(**_vote_counts())
    return twins.select_related("campaign", "author", "revised_by", "returned").prefetch_related(
        Prefetch("questions", queryset=questions.order_by("number"))
    )


def _vote_counts() -> dict[str, Count]:
    counted = that_count("votes__")
    wanted = {
        "n_votes": counted,
        "n_right": counted & Q(votes__option=F("answer")),
        "n_ambiguous": counted & Q(votes__ambiguous=True),
        "n_local": counted & Q(votes__local_option=F("answer")),
    }
    counts = {name: Count("votes", filter=votes) for name, votes in wanted.items()}
    return counts | {"n_given": Count("votes")}


def twin_states(
    twins: Iterable[Twin], *, runs: Mapping[int, uuid.UUID] | None = None
) -> list[TwinState]:
    """Summarize twins fetched by ``with_questions``, with their results in filter runs.

    *runs* are the campaigns' latest runs if already known, as for ``filter_results``.
    """
    twins = list(twins)
    by_id = filter_results((each for twin in twins for each in twin.questions.all()), runs=runs)
    return [
        TwinState(twin, tuple(_question_state(twin, each, by_id) for each in twin.questions.all()))
        for twin in twins
    ]


def _question_state(twin: Twin, question: Any, results: dict[int, FilterResult]) -> QuestionState:
    verdict: Verdict | None = getattr(question, "verdict", None)
    state, name = _state_of(twin, verdict, question.n_votes)
    reasons = verdict.reasons if verdict else []
    return QuestionState(
        question=question,
        answer=twin.options[question.answer - 1],
        state=state,
        state_name=name,
        reasons=tuple(reason_sentence(reason) for reason in reasons),
        votes=question.n_votes,
        right=question.n_right,
        ambiguous=question.n_ambiguous,
        local=question.n_local,
        is_touched=question.n_given > 0,
        may_appeal=_may_appeal(twin, verdict),
        result=_filter_sentence(results.get(question.pk)),
    )


def _filter_sentence(result: FilterResult | None) -> str:
    """Describe the result of the latest filter run; empty if the question was not in it."""
    if result is None or not result.in_snapshot:
        return ""
    run = str(result.run)[:8]
    if result.kept:
        return _("Kept by filter run %(run)s.") % {"run": run}
    if result.phase is None:
        return _("Removed by filter run %(run)s.") % {"run": run}
    return _(
        "Removed by filter run %(run)s in phase %(phase)d: linear models could predict its answer."
    ) % {
        "run": run,
        "phase": result.phase,
    }


def _may_appeal(twin: Twin, verdict: Verdict | None) -> bool:
    """Return whether the writer can still appeal against a verdict."""
    if verdict is None or verdict.valid or twin.withdrawn_at is not None:
        return False
    is_back = Reason.RETURNED in verdict.reasons
    return not is_back and timezone.now() <= verdict.created_at + WINDOW


def _state_of(twin: Twin, verdict: Verdict | None, n_votes: int) -> tuple[str, str]:
    if twin.withdrawn_at is not None:
        return "todo", _("withdrawn")
    if verdict is not None:
        return _decided(verdict)
    if twin.origin == Twin.Origin.PUBLISHED:
        return "good", _("validated elsewhere")
    needed = twin.votes_per_question
    if n_votes >= needed:
        return "todo", _("%(votes)d votes, another vote requested") % {"votes": n_votes}
    return "todo", _("%(votes)d of %(needed)d votes") % {"votes": n_votes, "needed": needed}


def _decided(verdict: Verdict) -> tuple[str, str]:
    if verdict.valid:
        return "good", _("valid")
    if Reason.RETURNED in verdict.reasons:
        return "warn", _("returned to its writer for revision")
    return "bad", _("not used") if Reason.EXCLUDED in verdict.reasons else _("not valid")
