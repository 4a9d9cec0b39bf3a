"""What of a knowledge set is published: nothing about a question whose label is held back."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from corpora.core.items import Item
from knowledge import proving
from knowledge.models import (
    Formalisation,
    Formula,
    KnowledgeSet,
    LexiconEntry,
    Proof,
    Sentence,
)
from knowledge.prover.shared import PROVER
from knowledge.selectors import questions_for_people

HELD_BACK, NOT_A_PROBLEM, UNPAIRED = "held_back", "not_a_problem", "unpaired"
_NAME = re.compile(r"[^\W\d]\w*[’']*")


@dataclass(frozen=True, slots=True)
class Content:
    """The rows that a release publishes.

    Parameters
    ----------
    knowledge_set : KnowledgeSet
    items : list of Item
        Questions with a published formalisation, in the order of their ids.
    pairs : list of (true Sentence, false Sentence)
    formalisations : list of Formalisation
        The newest version of each question, and those that sentences were written for.
    formulas : dict of int to list of Formula
        By the key of their formalisation.
    proofs : dict of str to Proof
        By fingerprint.
    left_out : dict of str to int
        Pairs, or true sentences without a false one, that are in no file, by the reason.
    """

    knowledge_set: KnowledgeSet
    items: list[Item]
    pairs: list[tuple[Sentence, Sentence]]
    formalisations: list[Formalisation]
    formulas: Mapping[int, list[Formula]]
    proofs: dict[str, Proof]
    left_out: dict[str, int]


def content_of(knowledge_set: KnowledgeSet, *, progress: Callable[[str], None]) -> Content:
    """Return what may be published of a set at this time; what lacks a proof is proved."""
    formalised = knowledge_set.formalisations.order_by().values_list("question", flat=True)
    items = questions_for_people(knowledge_set, formalised.distinct())
    trues, falses = _sentences(knowledge_set)
    versions = _versions(knowledge_set, items, trues)
    proofs = proofs_of(versions, progress=progress)
    names = [*(name for row in proofs.values() for name in _cores(row)), *_phrased(trues, items)]
    secret = _secret_formulas(knowledge_set, items, names)
    formulas = _formulas(versions)
    released = [
        row for row in versions if not secret & {formula.pk for formula in formulas[row.pk]}
    ]
    keys = {version.pk for version in released}
    reasons = {true: _why_not(true, falses, items, keys) for true in trues}
    used = {version.question for version in released}
    return Content(
        knowledge_set=knowledge_set,
        items=[item for id, item in sorted(items.items()) if id in used],
        pairs=[(true, falses[true.pk]) for true, reason in reasons.items() if not reason],
        formalisations=released,
        formulas=formulas,
        proofs=proofs,
        left_out=dict(sorted(Counter(filter(None, reasons.values())).items())),
    )


def proofs_of(
    formalisations: Iterable[Formalisation], *, progress: Callable[[str], None]
) -> dict[str, Proof]:
    """Return the proof of each formalisation by fingerprint; those that lack one are proved."""
    wanted = {wanted_version.fingerprint: wanted_version for wanted_version in formalisations}
    stored = Proof.objects.filter(fingerprint__in=wanted, prover=PROVER)
    lasting = {proof.fingerprint: proof for proof in stored if proving.lasts(proof)}
    for fingerprint, version in wanted.items():
        if fingerprint not in lasting:
            progress(f"proving {version}")
            lasting[fingerprint] = proving.store(proving.prove_anew(version))
    return lasting


def words_in(knowledge_set: KnowledgeSet, texts: Iterable[str]) -> list[LexiconEntry]:
    """Return the words of the predicates and actions that stand in published formulas."""
    names = {name for text in texts for name in _NAME.findall(text)}
    rows = LexiconEntry.objects.filter(knowledge_set=knowledge_set).order_by()
    return sorted((row for row in rows if row.name in names), key=lambda row: row.name)


def _sentences(knowledge_set: KnowledgeSet) -> tuple[list[Sentence], dict[int, Sentence]]:
    """Return the true sentences of a set, and the false versions by the key of theirs.

    Sentences share what they are about, and do not refer to each other, nor do formalisations hold
    their formulas: rows that refer to each other stay in memory until the collector passes.
    """
    rows = Sentence.objects.filter(knowledge_set=knowledge_set).order_by("pk")
    trues = rows.filter(of=None).prefetch_related("formula", "formalisation")
    return list(trues), {row.of_id: row for row in rows.filter(of__isnull=False)}  # type: ignore[misc]


def _versions(
    knowledge_set: KnowledgeSet, items: Mapping[str, Item], trues: Iterable[Sentence]
) -> list[Formalisation]:
    by_pk = {true.formalisation_id: true.formalisation for true in trues}
    rows = knowledge_set.formalisations.all()
    others = set(rows.newest().values_list("pk", flat=True)) - by_pk.keys()
    more = rows.filter(pk__in=others).order_by()
    released = (version for version in (*by_pk.values(), *more) if version.question in items)
    return sorted(released, key=lambda version: (version.question, version.number))


def _formulas(versions: Iterable[Formalisation]) -> dict[int, list[Formula]]:
    """Return the formulas of each formalisation by its key, each formula read once."""
    by_id: dict[int, list[Formula]] = {version.pk: [] for version in versions}
    links = Formalisation.formulas.through._default_manager.filter(formalisation__in=by_id.keys())
    pairs = list(links.values_list("formalisation", "formula"))
    rows = Formula.objects.in_bulk({formula for _formalisation, formula in pairs})
    for formalisation, formula in pairs:
        by_id[formalisation].append(rows[formula])
    return by_id


def _cores(proof: Proof) -> set[str]:
    return {name for core in proof.report.get("cores", {}).values() for name in core}


def _phrased(trues: Iterable[Sentence], items: Mapping[str, Item]) -> list[str]:
    """Return the formulas that sentences about published questions put into words."""
    of_shown = (true for true in trues if true.formalisation.question in items)
    return [true.formula.name for true in of_shown if true.formula is not None]


def _secret_formulas(
    knowledge_set: KnowledgeSet, items: Mapping[str, Item], names: Iterable[str]
) -> set[int]:
    """Return the formulas, by key, of questions that are held back, unless others need them.

    Parameters
    ----------
    names
        Names of the formulas that a published question needs.
    """
    held_back = knowledge_set.formalisations.exclude(question__in=[*items])
    rows = Formula.objects.filter(knowledge_set=knowledge_set, formalisations__in=held_back)
    return set(rows.exclude(name__in=[*names]).values_list("pk", flat=True))


def _why_not(
    true: Sentence, falses: Mapping[int, Sentence], items: Mapping[str, Item], shown_keys: set[int]
) -> str:
    item = items.get(true.formalisation.question)
    if item is None or true.formalisation_id not in shown_keys:
        return HELD_BACK
    if item.answer is None or item.form not in ("blank", "pronoun"):
        return NOT_A_PROBLEM
    return "" if true.pk in falses else UNPAIRED
