"""Prove a formalisation and store the answer."""

import time
from dataclasses import replace

from knowledge.core.answers import Limit
from knowledge.core.false_versions import Offers, Pick, offers
from knowledge.core.language.tree import Formula as Tree
from knowledge.core.obligations import Examination, examine
from knowledge.core.reporting import as_dict
from knowledge.models import Formalisation, Formula, Proof
from knowledge.prover.shared import PROVER, shared

# Another time, or on another machine, the same proof may end; steps count alike everywhere.
DEPENDS_ON_THE_MACHINE = {Limit.TIME, Limit.MEMORY, Limit.SESSION, Limit.KILLED, Limit.DIED}


def stored_proof(formalisation: Formalisation) -> Proof | None:
    """Return the stored proof by the present prover; None if there is none that lasts."""
    proof = Proof.objects.filter(fingerprint=formalisation.fingerprint, prover=PROVER).first()
    return proof if proof is not None and lasts(proof) else None


def lasts(proof: Proof) -> bool:
    """Return whether the proof would end alike another time, or on another machine."""
    return proof.report["limit"] not in DEPENDS_ON_THE_MACHINE


def prove_anew(formalisation: Formalisation) -> Proof:
    """Prove a formalisation; the result is not stored yet."""
    start = time.monotonic()
    examination = examine(formalisation.theory, shared())
    return Proof(
        fingerprint=formalisation.fingerprint,
        prover=PROVER,
        verified=examination.verified,
        report=as_dict(examination),
        claims=_claims(examination),
        seconds=time.monotonic() - start,
    )


def _claims(examination: Examination) -> list[dict[str, str]]:
    return [
        {"name": claim.name, "verdict": claim.verdict, "script": claim.script}
        for claim in examination.claims
    ]


def store(proof: Proof) -> Proof:
    """Store a proof in the place of an earlier one of the same prover."""
    names = ("verified", "report", "claims", "seconds", "created_at")
    row, _ = Proof.objects.update_or_create(
        fingerprint=proof.fingerprint,
        prover=proof.prover,
        defaults={name: getattr(proof, name) for name in names},
    )
    return row


def pick_with(formalisation: Formalisation, formula: Formula, changed: Tree) -> Pick:
    """Return what a formalisation picks with another formula in the place of one of its own.

    It takes a child process up to a few seconds, outside of any transaction.
    """
    theory = formalisation.theory
    knowledge = theory.knowledge | {formula.name: changed}
    examination = examine(replace(theory, knowledge=knowledge), shared())
    if examination.ways:
        return Pick.ANSWER
    if examination.undecided:
        return Pick.UNDECIDED
    return Pick.OTHER if examination.other else Pick.NEITHER


def false_versions(formalisation: Formalisation, formula: Formula) -> Offers:
    """Return the false versions of one of a formalisation's formulas; see `pick_with`."""
    tree = formalisation.theory.knowledge[formula.name]
    return offers(tree, lambda changed: pick_with(formalisation, formula, changed))
