"""What the records of a release that came from elsewhere must obey together."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from knowledge.core import formalisation as core
from knowledge.core.bundle import layout
from knowledge.core.bundle.records import Bundle, ClaimRecord, FormalisationRecord, labelled


def require_consistent(bundle: Bundle) -> None:
    """Refuse records that do not fit together.

    Raises
    ------
    ValueError
        With the file of the first record that breaks a rule.
    """
    _require_order(bundle)
    _require_known(bundle)
    texts = {formula.name: formula.text for formula in bundle.formulas}
    for formalisation in bundle.formalisations:
        _require_readable(formalisation, texts)
    _require_votes(bundle)
    _require_valid(bundle)


def checked_claims(claims: Iterable[ClaimRecord], bundle: Bundle) -> Iterator[ClaimRecord]:
    """Yield claims; ValueError for one of no formalisation with a proof."""
    proofs = {(one.question, one.version) for one in bundle.formalisations if one.proof is not None}
    for claim in claims:
        if (claim.question, claim.version) not in proofs:
            raise ValueError(
                f"{layout.PROOFS}: {claim.question!r:.80}, version {claim.version}, has no proof"
            )
        yield claim


def _require_order(bundle: Bundle) -> None:
    """Require records that are sorted and different, so that they have one order alone."""
    orders: dict[str, list[Any]] = {
        layout.QUESTIONS: [item.id for item in bundle.questions],
        layout.FORMULAS: [formula.name for formula in bundle.formulas],
        layout.WORDS: [word.name for word in bundle.words],
        layout.FORMALISATIONS: [(row.question, row.version) for row in bundle.formalisations],
        layout.PAIRS: [pair.pair for pair in bundle.pairs],
        layout.VOTES: [(vote.id, vote.annotator) for vote in bundle.votes],
    }
    for name, keys in orders.items():
        if keys != sorted(set(keys)):
            raise ValueError(f"{name}: its lines must be sorted, and each must be there once")


def _require_known(bundle: Bundle) -> None:
    """Require that what a record names is there."""
    items = {item.id for item in bundle.questions}
    formulas = {formula.name for formula in bundle.formulas}
    versions = {(one.question, one.version) for one in bundle.formalisations}
    for record in bundle.formalisations:
        if record.question not in items or not formulas.issuperset(record.formulas):
            raise ValueError(
                f"{layout.FORMALISATIONS}: the question {record.question!r:.80} or one of its "
                "formulas is in no other file"
            )
    for pair in bundle.pairs:
        has_formula = pair.formula is None or pair.formula in formulas
        if (pair.question, pair.version) not in versions or not has_formula:
            raise ValueError(
                f"{layout.PAIRS}: the formalisation or the formula of {pair.pair} is in no other "
                "file"
            )
    if not bundle.pairs:
        raise ValueError(f"{layout.PAIRS}: there are no pairs")


def _require_readable(one: FormalisationRecord, texts: dict[str, str]) -> None:
    """Require that the formulas can be read and have the fingerprint."""
    try:
        content = core.Formalisation.from_dict(one.content)
        theory = core.read(content, {name: texts[name] for name in one.formulas})
        same = json.loads(json.dumps(content.as_dict())) == one.content
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise ValueError(
            f"{layout.FORMALISATIONS}: {one.question!r:.80} cannot be read: {error!s:.200}"
        ) from error
    if theory.fingerprint != one.fingerprint or not same:
        raise ValueError(
            f"{layout.FORMALISATIONS}: the fingerprint of {one.question!r:.80} is another one"
        )


def _require_votes(bundle: Bundle) -> None:
    if bundle.about.validation is None:
        if bundle.votes:
            raise ValueError(f"{layout.VOTES}: nobody was asked, so there are no votes")
        return
    ids = {sentence.id for pair in bundle.pairs for sentence, _label in labelled(pair)}
    counts = Counter(vote.id for vote in bundle.votes)
    if counts.keys() - ids or any(n > bundle.about.validation.annotators for n in counts.values()):
        raise ValueError(
            f"{layout.VOTES}: a vote is about no problem of the release, or a problem has more "
            "votes than annotators were asked"
        )


def _require_valid(bundle: Bundle) -> None:
    """Require that what is said to be valid follows from the votes."""
    facts = bundle.about.validation
    given, yes = Counter[str](), Counter[str]()
    for vote in bundle.votes:
        given[vote.id] += 1
        yes[vote.id] += vote.yes
    for pair in bundle.pairs:
        for sentence, label in labelled(pair):
            equal = yes[sentence.id] if label else given[sentence.id] - yes[sentence.id]
            follows = facts and given[sentence.id] == facts.annotators and equal >= facts.needed
            if sentence.valid is not (None if facts is None else bool(follows)):
                raise ValueError(
                    f"{layout.PAIRS}: whether {sentence.id} is valid does not follow from the votes"
                )
