"""What the prover and the annotators found, as bodies of responses."""

from dataclasses import asdict
from typing import Any

from knowledge.core.groundings import in_words
from knowledge.core.obligations import Examination
from knowledge.core.reporting import from_dict, obligations, warnings
from knowledge.models import Formalisation, Proof
from knowledge.selectors import SetFigures
from panels.selectors import Progress


def examination_body(examination: Examination, words: dict[str, str]) -> dict[str, Any]:
    """Return an examination in words.

    Parameters
    ----------
    words
        Name of a thing → its noun phrase.
    """
    return {
        "verified": examination.verified,
        "obligations": [asdict(obligation) for obligation in obligations(examination)],
        "warnings": warnings(examination),
        "ways": list(examination.ways),
        "cores": {way: list(core) for way, core in examination.cores.items()},
        "worlds": {way: in_words(world, words=words) for way, world in examination.worlds.items()},
        "undecided": examination.undecided,
        "limit": examination.limit,
    }


def proof_body(formalisation: Formalisation, proof: Proof) -> dict[str, Any]:
    body = examination_body(from_dict(proof.report), words_of(formalisation.content))
    return body | {
        "prover": proof.prover,
        "seconds": proof.seconds,
        "claims": proof.claims,
        "created_at": proof.created_at,
    }


def words_of(content: dict[str, Any]) -> dict[str, str]:
    """Return the noun phrases of a formalisation's things, by name."""
    return {thing["name"]: thing["words"] for thing in content["things"] if thing["words"]}


def figures_body(found: SetFigures, so_far: Progress) -> dict[str, Any]:
    figures = found.figures
    counted = ("n_problems", "n_complete", "n_valid", "raw", "mean_kappa")
    return {name: getattr(figures, name) for name in counted} | {
        "n_enrolled": so_far.n_enrolled,
        "n_answers": so_far.n_votes,
        "n_wanted": so_far.n_wanted,
        "fleiss": figures.among.kappa,
        "alpha": figures.among.alpha,
        "by_kind": {
            kind: {
                "raw": share,
                "n_valid": figures.valid_by_kind[kind][0],
                "n_complete": figures.valid_by_kind[kind][1],
            }
            for kind, share in figures.by_kind.items()
        },
        "annotators": [
            asdict(who) | {"worker": found.annotators[who.annotator]} for who in figures.annotators
        ],
    }
