"""Sentences of a set, and false versions offered for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from knowledge import proving
from knowledge.core.false_versions import Changed, Pick, carried_over
from knowledge.core.language.errors import FormulaError
from knowledge.core.language.parsing import parse
from knowledge.core.language.signature import signature_of
from knowledge.core.language.tree import Formula as Tree
from knowledge.core.language.tree import show
from knowledge.core.phrasing import Lexicon, PhraseError, phrase
from knowledge.core.slots import SlotError, read
from knowledge.models import Formalisation, Formula, KnowledgeSet, Sentence
from knowledge.selectors import lexicon_of
from winoplatform.errors import Conflict, DomainError
from workers.models import User


@dataclass(frozen=True, slots=True)
class Offer:
    """A false version that can be written as it is.

    Parameters
    ----------
    text
        The true sentence with one side changed, or the whole formula in words where those of the
        side no longer stand in the sentence; empty where the lexicon lacks words.
    """

    changed: Changed
    pick: Pick
    text: str

    @property
    def formula(self) -> str:
        return show(self.changed.formula)


@dataclass(frozen=True, slots=True)
class OffersInWords:
    """The false versions to choose from, and how many were left out."""

    offers: tuple[Offer, ...]
    n_proved: int
    n_undecided: int


def false_versions(*, sentence: Sentence) -> OffersInWords:
    """Return the changes of a sentence's formula that no longer pick the answer.

    Those that pick the other option come first.

    It takes a child process a few seconds, outside of any transaction.

    Raises
    ------
    DomainError
        ``no_formula`` where the sentence has no formula to change, or is no true one.
    """
    if sentence.formula is None or not sentence.is_true:
        raise DomainError("no_formula", "Only a true sentence with a formula has false versions.")
    found = proving.false_versions(sentence.formalisation, sentence.formula)
    tree = sentence.formalisation.theory.knowledge[sentence.formula.name]
    lexicon = lexicon_of(sentence.knowledge_set)
    try:
        names = phrase(tree, lexicon).names
    except PhraseError:
        names = None
    offers = (
        Offer(changed, pick, "" if names is None else _text(sentence, changed, lexicon, names))
        for changed, pick in found.offered
    )
    return OffersInWords(tuple(offers), found.n_proved, found.n_undecided)


def _text(sentence: Sentence, changed: Changed, lexicon: Lexicon, names: Mapping[str, str]) -> str:
    try:
        if carried := carried_over(sentence.text, changed, lexicon, names):
            return carried
        kinds = sentence.template.kinds
        of_variables = {name: kinds[slot] for name, slot in names.items() if slot in kinds}
        return phrase(changed.formula, lexicon, kinds=of_variables).text
    except PhraseError:
        return ""


Kind = Sentence.Kind


@transaction.atomic
def write_sentence(
    *,
    knowledge_set: KnowledgeSet,
    formalisation: Formalisation,
    text: str,
    by: User | None,
    formula: Formula | None = None,
    mentions: Mapping[str, Mapping[str, Any]] | None = None,
) -> Sentence:
    """Add a true sentence of a question.

    Parameters
    ----------
    text
        With slots; see ``core.slots.read``.
    mentions
        From a slot's name to ``{"text": …, "plural": …}``: the question's noun phrases.

    Raises
    ------
    DomainError
        ``sentences_frozen`` once the set's validation has begun, the codes of ``SlotError`` with
        the column, or ``mention_unknown`` for a name that the text does not introduce.
    ValidationError
        When formula or formalisation belong to another set.
    """
    _lock_unfrozen(knowledge_set)
    row = Sentence(
        knowledge_set=knowledge_set,
        formalisation=formalisation,
        formula=formula,
        text=text.strip(),
        mentions=_mentions(text, mentions or {}),
        author=by,
    )
    _refuse_other_set(row)
    row.full_clean()
    row.save()
    return row


def write_false_version(
    *, of: Sentence, kind: str, text: str, by: User | None, false_formula: str = ""
) -> Sentence:
    """Add or replace the false version of a true sentence.

    With a formula it takes a child process up to a few seconds, outside of any transaction.

    Parameters
    ----------
    kind
        ``negation``, ``swapped`` and ``replaced`` are made from the formula.
    false_formula
        The formula of the false version, if it has one: in the place of the true sentence's
        formula it must no longer pick the answer.

    Raises
    ------
    DomainError
        ``sentences_frozen``, the codes of ``SlotError`` and ``FormulaError``, ``not_a_false_kind``,
        ``no_formula``, ``same_sentence``, or ``still_proved`` where the formula still picks the
        answer, or the prover has not decided.
    """
    if kind not in Kind.values or kind == Kind.TRUE or not of.is_true:
        raise DomainError("not_a_false_kind", "Choose how it differs from a true sentence.")
    if text.strip() == of.text:
        raise DomainError("same_sentence", "A false version differs from the true sentence.")
    shown, pick = _lost(of, false_formula)
    row = Sentence(
        knowledge_set=of.knowledge_set,
        formalisation=of.formalisation,
        formula=of.formula,
        of=of,
        kind=kind,
        text=text.strip(),
        mentions=_mentions(text, of.mentions, may_lack=True),
        false_formula=shown,
        pick=pick,
        author=by,
    )
    return _replaced(row)


def _lost(of: Sentence, false_formula: str) -> tuple[str, str]:
    """Return the canonical form of a false version's formula, and what it picks."""
    if not false_formula.strip():
        return "", ""
    if of.formula is None:
        raise DomainError("no_formula", "The true sentence has no formula to change.")
    changed = _formula(false_formula)
    try:
        pick = proving.pick_with(of.formalisation, of.formula, changed)
    except FormulaError as error:
        raise _refusal(error) from error
    if pick not in (Pick.OTHER, Pick.NEITHER):
        raise Conflict(
            "still_proved",
            "With this formula the question is still resolved to its answer, or the prover has "
            "not decided. A false version must lose the proof.",
        )
    return show(changed), pick.value


@transaction.atomic
def _replaced(row: Sentence) -> Sentence:
    _lock_unfrozen(row.knowledge_set)
    Sentence.objects.filter(of=row.of).delete()
    row.full_clean()
    row.save()
    return row


@transaction.atomic
def delete_sentence(*, sentence: Sentence) -> None:
    """Delete a sentence, a true one with its false version; refuses as ``write_sentence``."""
    _lock_unfrozen(sentence.knowledge_set)
    sentence.delete()


def _lock_unfrozen(knowledge_set: KnowledgeSet) -> None:
    """Lock the set, so that its validation begins before or after the change."""
    now_is = KnowledgeSet.objects.select_for_update(no_key=True).get(pk=knowledge_set.pk)
    if now_is.panel_id is not None:
        raise Conflict(
            "sentences_frozen",
            "People answer about these sentences already, so they no longer change.",
        )


def _mentions(text: str, mentions: Mapping[str, Any], *, may_lack: bool = False) -> dict[str, Any]:
    """Return the mentions of the names in a text, after reading it.

    Parameters
    ----------
    may_lack
        Whether a mention of a name that the text lacks is left out, and not refused.
    """
    try:
        kinds = read(text.strip()).kinds
    except SlotError as error:
        raise DomainError(error.code, error.message, details={"column": error.column}) from error
    used = {name: mention for name, mention in mentions.items() if name in kinds}
    if (len(used) < len(mentions) and not may_lack) or not all(map(_is_mention, used.values())):
        raise DomainError(
            "mention_unknown",
            "A noun phrase needs a name of the sentence, a text and whether it is plural.",
        )
    return {
        name: {"text": words["text"].strip(), "plural": words["plural"]}
        for name, words in used.items()
    }


def _is_mention(mention: Any) -> bool:
    if not isinstance(mention, Mapping) or set(mention) != {"text", "plural"}:
        return False
    text, plural = mention["text"], mention["plural"]
    fits = isinstance(text, str) and 0 < len(text.strip()) <= 200 and not set("{}\0") & set(text)
    return fits and isinstance(plural, bool)


def _formula(text: str) -> Tree:
    try:
        tree = parse(text)
        signature_of([tree])
    except FormulaError as error:
        raise _refusal(error) from error
    return tree


def _refusal(error: FormulaError) -> DomainError:
    problem = error.problem
    details = {"line": problem.line, "column": problem.column}
    return DomainError(error.code, problem.sentence, details=details)


def _refuse_other_set(row: Sentence) -> None:
    for part in (row.formalisation, row.formula):
        if part is not None and part.knowledge_set_id != row.knowledge_set_id:
            raise ValidationError("A sentence, its formula and its question are of one set.")
