"""The figures of a release, all of them from its records."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from corpora.core.metrics import rounded_fields
from knowledge.core.bundle.records import TRUE, Bundle, PairRecord, is_valid, labelled
from knowledge.core.released import VARIANTS, ReleasedProblem
from knowledge.core.statistics import PUBLISHED, LikenessSum, likeness, mean_of
from knowledge.core.validation import Answers, Figures, Policy, figures

ALL, VALID = "all", "valid"
DIGITS = 6


@dataclass(slots=True)
class Alike:
    """How alike the sentences of pairs are, counted problem by problem.

    The two problems of a pair come one after the other.
    """

    sums: dict[tuple[str, str], LikenessSum] = field(default_factory=dict)
    waiting: ReleasedProblem | None = None

    def add(self, one: ReleasedProblem, *, is_valid: bool) -> None:
        """Count a problem; *is_valid* if its pair is among the valid ones."""
        if self.waiting is None or self.waiting.pair != one.pair:
            self.waiting = one
            return
        true, false = (one, self.waiting) if one.label else (self.waiting, one)
        measures = asdict(likeness(true.premise, false.premise))
        for part in (ALL, VALID) if is_valid else (ALL,):
            self.sums.setdefault((part, one.variant), LikenessSum()).update(measures)

    def means(self, part: str) -> dict[str, Any]:
        """Return the mean figures by variant, as in Table 1."""
        sums = ((variant, self.sums.get((part, variant))) for variant in VARIANTS)
        means = {variant: asdict(mean_of(total)) for variant, total in sums if total}
        return {
            variant: {name: round(value, DIGITS) for name, value in one.items()}
            for variant, one in means.items()
        }


def statistics(bundle: Bundle, alike: Alike) -> dict[str, Any]:
    """Return the figures as JSON values: Table 1, kinds, proofs and agreement."""
    validated = bundle.about.validation is not None
    valid = [pair for pair in bundle.pairs if is_valid(pair)]
    parts = {ALL: list(bundle.pairs)} | ({VALID: valid} if validated else {})
    return {
        "likeness": {part: alike.means(part) for part in parts},
        "likeness_published": {name: asdict(printed) for name, printed in PUBLISHED.items()},
        "problems": {part: _kinds(pairs) for part, pairs in parts.items()},
        "pairs": {part: len(pairs) for part, pairs in parts.items()},
        "questions": len(bundle.questions),
        "formulas": len(bundle.formulas),
        "proofs": _proofs(bundle),
        "agreement": _agreement(bundle),
    }


def as_text(found: Mapping[str, Any]) -> str:
    """Return figures as the text of ``statistics.json``."""
    return json.dumps(found, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _kinds(pairs: list[PairRecord]) -> dict[str, int]:
    return {TRUE: len(pairs), **dict(sorted(Counter(pair.kind for pair in pairs).items()))}


def _proofs(bundle: Bundle) -> dict[str, int]:
    proofs = [row.proof for row in bundle.formalisations if row.proof is not None]
    ways = Counter(way for proof in proofs for way in proof.ways)
    return {
        "formalisations": len(bundle.formalisations),
        "verified": sum(proof.verified for proof in proofs),
        "undecided": sum(bool(proof.undecided) for proof in proofs),
        **{f"by_{way}": ways[way] for way in sorted(ways)},
    }


def _agreement(bundle: Bundle) -> dict[str, Any] | None:
    if bundle.about.validation is None or not bundle.votes:
        return None
    names = sorted({vote.annotator for vote in bundle.votes})
    result = _figures(bundle, {name: number for number, name in enumerate(names)})
    annotators = ((names[who.annotator], who) for who in result.annotators)
    return {
        "answers": result.raw.n,
        "problems": result.n_problems,
        "complete": result.n_complete,
        "valid_problems": result.n_valid,
        "raw": rounded_fields(result.raw, DIGITS),
        "by_kind": {
            kind: rounded_fields(kind_figures, DIGITS)
            for kind, kind_figures in sorted(result.by_kind.items())
        },
        "mean_kappa": rounded_fields(result.mean_kappa, DIGITS),
        "fleiss_kappa": rounded_fields(result.among.kappa, DIGITS),
        "alpha": rounded_fields(result.among.alpha, DIGITS),
        "annotators": [
            {
                "annotator": name,
                "right": annotator.right,
                "n": annotator.n,
                "kappa": rounded_fields(annotator.kappa, DIGITS),
            }
            for name, annotator in annotators
        ],
    }


def _figures(bundle: Bundle, numbers: Mapping[str, int]) -> Figures:
    assert bundle.about.validation is not None
    rows = [(pair, *both) for pair in bundle.pairs for both in labelled(pair)]
    place = {sentence.id: at for at, (_pair, sentence, _label) in enumerate(rows)}
    votes = bundle.votes
    return figures(
        np.array([label for *_rest, label in rows], dtype=bool),
        Answers.of(
            [place[vote.id] for vote in votes],
            [numbers[vote.annotator] for vote in votes],
            [vote.yes for vote in votes],
        ),
        kinds=[TRUE if label else pair.kind for pair, _sentence, label in rows],
        pairs=[pair.pair for pair, *_rest in rows],
        policy=Policy(bundle.about.validation.annotators, bundle.about.validation.needed),
    )
