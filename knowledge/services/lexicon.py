"""Words of predicates and actions, and sentences drafted by them."""

from typing import Any

from django.db import transaction

from knowledge.core.groundings import groundings
from knowledge.core.lexicon import Lexicon, PhraseError
from knowledge.core.phrasing import KIND, phrase
from knowledge.core.slots import mentions_of
from knowledge.models import Formalisation, Formula, KnowledgeSet, LexiconEntry
from knowledge.selectors import lexicon_of
from winoplatform.errors import DomainError


@transaction.atomic
def put_words(
    *, knowledge_set: KnowledgeSet, name: str, positive: str, negative: str = ""
) -> LexiconEntry:
    """Store the words of a predicate, or of an action, which has no opposite.

    Raises
    ------
    DomainError
        The codes of ``PhraseError``.
    """
    positive, negative = positive.strip(), negative.strip()
    try:
        if negative:
            Lexicon({name: (positive, negative)}, {})
        else:
            Lexicon({}, {name: positive})
    except PhraseError as error:
        raise DomainError(error.code, error.message) from error
    found = LexiconEntry.objects.filter(knowledge_set=knowledge_set, name=name).first()
    row = found or LexiconEntry(knowledge_set=knowledge_set, name=name)
    row.positive, row.negative = positive, negative
    row.full_clean()
    row.save()
    return row


def draft(*, formalisation: Formalisation, formula: Formula) -> tuple[str, dict[str, Any]]:
    """Return a formula as a sentence with slots, and the question's noun phrases of its names.

    Raises
    ------
    DomainError
        The codes of ``PhraseError``; ``no_words`` with the names that lack words.
    """
    theory = formalisation.theory
    tree = theory.knowledge[formula.name]
    things = {thing["name"]: thing for thing in formalisation.content["things"]}
    known = groundings(tree, [*theory.setting, theory.clause_of(theory.answer)])
    kinds = {name: things[thing]["kind"] or KIND for name, thing in known.items()}
    words = lexicon_of(formalisation.knowledge_set)
    try:
        found = phrase(tree, words, kinds=kinds)
    except PhraseError as error:
        details = {"missing": list(error.missing)}
        raise DomainError(error.code, error.message, details=details) from error
    phrases = {
        found.names[name]: things[thing]["words"]
        for name, thing in known.items()
        if name in found.names and things[thing]["words"]
    }
    mentions = mentions_of(phrases)
    return found.text, {
        name: {"text": mention.text, "plural": mention.plural} for name, mention in mentions.items()
    }
