"""Read formulas while they are written, and prove formalisations."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from knowledge import paying, proving
from knowledge.core import formalisation as core
from knowledge.core.language import FormulaError, parse, show, signature_of
from knowledge.core.language.errors import Problem
from knowledge.core.language.limits import MOST_FORMULAS
from knowledge.core.obligations import PairExamination, examine_pair
from knowledge.models import Formalisation, KnowledgeSet, Proof, Sweep
from knowledge.prover.shared import shared
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.start import start
from workers.models import User


@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong, and the canonical form of each text, by its place.

    A text that cannot be read has none.
    """

    problems: tuple[Problem, ...]
    shown: Mapping[str, str]


def check_formula(*, text: str) -> Checked:
    """Read one formula of knowledge."""
    try:
        tree = parse(text)
        signature_of([tree])
    except FormulaError as error:
        return Checked((error.problem,), {})
    return Checked((), {"knowledge": show(tree, reach=True)})


def check_formalisation(
    *, formalisation: core.Formalisation, knowledge: Mapping[str, str]
) -> Checked:
    """Read a formalisation with its knowledge, as ``formalise`` does."""
    try:
        core.read(formalisation, knowledge)
    except core.Refused as refused:
        return Checked(refused.problems, _formula_texts(formalisation, knowledge))
    return Checked((), _formula_texts(formalisation, knowledge))


def _formula_texts(
    formalisation: core.Formalisation, knowledge: Mapping[str, str]
) -> dict[str, str]:
    named = {f"knowledge {name}": text for name, text in knowledge.items()}
    texts = {}
    for place, text in [*formalisation.texts.items(), *named.items()][:MOST_FORMULAS]:
        try:
            texts[place] = show(parse(text), reach=True)
        except FormulaError:
            continue  # among the problems
    return texts


def prove(*, formalisation: Formalisation) -> Proof:
    """Return the proof of a formalisation, after proving it if no lasting one is stored.

    It takes a child process up to a few seconds, outside of any transaction. A worker who has taken
    the question is paid for its newest version once that is verified.
    """
    proof = proving.stored_proof(formalisation) or proving.prove_anew(formalisation)
    with transaction.atomic():
        if proof.pk is None:
            proof = proving.store(proof)
        paying.pay_if_verified(formalisation, proof)
    return proof


def stored_proof(*, formalisation: Formalisation) -> Proof | None:
    """Return the proof of a formalisation by the present prover, if one that lasts is stored."""
    return proving.stored_proof(formalisation)


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
        raise Conflict("nothing_to_prove", "No question of this set is formalised yet.")
    start(sweep)
    return sweep
