"""False versions of a true sentence, offered by its formula."""

from dataclasses import dataclass

from knowledge import proving
from knowledge.core.false_versions import Changed, Offers, carried_over
from knowledge.core.language.printing import show
from knowledge.core.lexicon import Lexicon, PhraseError
from knowledge.core.phrasing import phrase
from knowledge.models import Sentence
from knowledge.selectors import lexicon_of
from winoplatform.errors import DomainError


@dataclass(frozen=True, slots=True)
class Offer:
    """A false version that can be written as it is.

    Parameters
    ----------
    text
        The true sentence with one side changed; empty where the lexicon lacks words, or the words
        of the side no longer stand in the sentence.
    """

    kind: str
    side: str
    pick: str
    formula: str
    text: str


def false_versions(*, sentence: Sentence) -> Offers:
    """Return the changes of a sentence's formula that no longer pick the answer.

    It takes a child process a few seconds, outside of any transaction.

    Raises
    ------
    DomainError
        ``no_formula`` where the sentence has no formula to change, or is no true one.
    """
    if sentence.formula is None or not sentence.is_true:
        raise DomainError("no_formula", "Only a true sentence with a formula has false versions.")
    return proving.false_versions(sentence.formalisation, sentence.formula)


def offer_false_versions(*, sentence: Sentence) -> list[Offer]:
    """Return what ``false_versions`` finds as sentences; those that pick the other option first."""
    found = false_versions(sentence=sentence)
    lexicon = lexicon_of(sentence.knowledge_set)
    names = _names(sentence, lexicon)
    return [
        Offer(
            change.kind.value,
            change.side.value,
            pick.value,
            show(change.formula),
            _text(sentence, change, lexicon, names),
        )
        for change, pick in found.offered
    ]


def _names(sentence: Sentence, lexicon: Lexicon) -> dict[str, str]:
    assert sentence.formula is not None
    tree = sentence.formalisation.theory.knowledge[sentence.formula.name]
    try:
        return dict(phrase(tree, lexicon).names)
    except PhraseError:
        return {}


def _text(sentence: Sentence, change: Changed, lexicon: Lexicon, names: dict[str, str]) -> str:
    if not names:
        return ""
    try:
        return carried_over(sentence.text, change, lexicon, names) or ""
    except PhraseError:
        return ""
