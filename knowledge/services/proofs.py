"""Prove formalisations, one at once or all in a sweep."""

from django.db import transaction

from knowledge import paying, proving
from knowledge.core.obligations import PairExamination, examine_pair
from knowledge.models import Formalisation, KnowledgeSet, Proof, Sweep
from knowledge.prover.shared import shared
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


def prove(*, formalisation: Formalisation) -> Proof:
    """Return the proof of a formalisation, after proving it if no lasting one is stored.

    It takes a child process up to a few seconds, outside of any transaction. A worker who has taken
    the question is paid for its newest version once that is verified.
    """
    proof = proving.stored(formalisation) or proving.prove_anew(formalisation)
    with transaction.atomic():
        if proof.pk is None:
            proof = proving.store(proof)
        paying.pay_if_verified(formalisation, proof)
    return proof


def stored_proof(*, formalisation: Formalisation) -> Proof | None:
    """Return the proof of a formalisation by the present prover, if one that lasts is stored."""
    return proving.stored(formalisation)


def prove_pair(*, first: Formalisation, second: Formalisation) -> PairExamination:
    """Prove two twins with the formulas of either; nothing is stored.

    Raises
    ------
    DomainError
        ``not_twins`` when they belong to different sets or have the same answer.
    """
    if first.knowledge_set_id != second.knowledge_set_id:
        raise DomainError("not_twins", "The two questions belong to different knowledge sets.")
    try:
        return examine_pair(first.theory, second.theory, shared())
    except ValueError as error:
        raise DomainError("not_twins", f"This is no pair: {error}.") from error


@transaction.atomic
def start_sweep(*, knowledge_set: KnowledgeSet, by: User | None) -> Sweep:
    """Prove the newest version of every formalised question of a set again; workers execute it."""
    newest = knowledge_set.formalisations.all().newest()
    sweep = Sweep(
        knowledge_set=knowledge_set,
        formalisations=[row.pk for row in newest.only("pk", "question", "knowledge_set")],
        created_by=by,
    )
    if not sweep.formalisations:
        raise DomainError(
            "nothing_to_prove", "No question of this set is formalised yet.", status=409
        )
    start(sweep)
    return sweep
