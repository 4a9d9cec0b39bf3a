"""The lexicon of a knowledge set."""

from knowledge.core.lexicon import Lexicon
from knowledge.models import KnowledgeSet, LexiconEntry


def lexicon_of(knowledge_set: KnowledgeSet) -> Lexicon:
    """Return the words of a set's predicates and actions, in one query."""
    rows = list(LexiconEntry.objects.filter(knowledge_set=knowledge_set))
    return Lexicon(
        predicates={row.name: (row.positive, row.negative) for row in rows if row.negative},
        actions={row.name: row.positive for row in rows if not row.negative},
    )
