"""How far the formalising of a set's questions is."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from knowledge.models import Formalisation, FormalisingTask, KnowledgeSet, Proof
from knowledge.prover.shared import PROVER
from workers.models import User


def with_proof(rows: "QuerySet[Formalisation]") -> Any:
    """Annotate ``verified``: whether the present prover has verified the formalisation."""
    proofs = Proof.objects.filter(fingerprint=OuterRef("fingerprint"), prover=PROVER)
    return rows.annotate(verified=Exists(proofs.filter(verified=True)))


def proof_results(fingerprints: Collection[str]) -> dict[str, tuple[bool, str | None]]:
    """Return whether the present prover verified formalisations, or else why it is undecided."""
    proofs = Proof.objects.filter(prover=PROVER, fingerprint__in=fingerprints)
    rows = proofs.values_list("fingerprint", "verified", "report__undecided")
    return {fingerprint: (verified, undecided) for fingerprint, verified, undecided in rows}


@dataclass(frozen=True, slots=True)
class QuestionState:
    """The newest formalisation of a question that a user may see, and who works on it.

    Parameters
    ----------
    formalisation
        With ``verified``; None if there is none, or if it is another's.
    state
        ``open``, ``mine`` (taken by the user), ``taken``, ``refuted`` (formalised and not
        verified) or ``verified``; whoever formalised it.
    """

    formalisation: Formalisation | None
    state: str


NOTHING = QuestionState(None, "open")


def question_states(
    knowledge_set: KnowledgeSet, ids: Collection[str], *, user: User, now: datetime
) -> dict[str, QuestionState]:
    """Return the states of some questions of a set, in two queries."""
    here = Formalisation.objects.filter(knowledge_set=knowledge_set, question__in=ids)
    newest = with_proof(here).newest().select_related("author")
    held = FormalisingTask.objects.held(now=now).filter(knowledge_set=knowledge_set)
    holders = dict(held.filter(question__in=ids).values_list("question", "worker"))
    by_question = {row.question: row for row in newest}
    return {
        id: _state(by_question.get(id), holders.get(id), user)
        for id in by_question.keys() | holders.keys()
    }


def _state(newest: Formalisation | None, holder: int | None, user: User) -> QuestionState:
    is_shown = newest is not None and (user.is_curator or newest.author_id == user.pk)
    verified = newest is not None and newest.verified  # type: ignore[attr-defined]
    if verified:
        state = "verified"
    elif holder is not None:
        state = "mine" if holder == user.pk else "taken"
    else:
        state = "open" if newest is None else "refuted"
    return QuestionState(newest if is_shown else None, state)
