"""The questions of the release or reference set that a knowledge set is about."""

from collections.abc import Iterator
from dataclasses import dataclass

from corpora.core.bundle.layout import BLIND
from corpora.core.items import Item
from corpora.models import ReferenceSet
from corpora.selectors import load_items, released, secret_sentences
from knowledge.models import KnowledgeSet


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """A question of a set, and whether a release holds its label back, or may do so.

    What is said of such a question tells its answer, so it is for curators alone.
    """

    item: Item
    is_held_back: bool


def set_questions(knowledge_set: KnowledgeSet) -> Iterator[SetQuestion]:
    """Yield the questions, with the answers that are known here, in published order."""
    if knowledge_set.release is not None:
        for row in released(knowledge_set.release):
            yield SetQuestion(row.item, row.split == BLIND)
        return
    assert knowledge_set.reference_set is not None  # a constraint of the table
    yield from _imported(knowledge_set.reference_set)


def _imported(reference_set: ReferenceSet) -> Iterator[SetQuestion]:
    """Yield the items; a set that is not public may have questions of a campaign of this platform.

    A public one has none with a secret answer: it would not have been published.
    """
    splits = reference_set.splits.select_related("items")
    rows = [item for split in splits for item in load_items(split)]
    secret = set() if reference_set.is_public else secret_sentences({row.blanked for row in rows})
    groups = {row.group for row in rows if row.blanked in secret}
    yield from (SetQuestion(row, row.group in groups) for row in rows)


def questions(knowledge_set: KnowledgeSet) -> Iterator[Item]:
    """Yield the questions as curators see them."""
    yield from (row.item for row in set_questions(knowledge_set))


def questions_for_people(knowledge_set: KnowledgeSet) -> dict[str, Item]:
    """Return the questions that people who are not curators may see with their answer, by id."""
    rows = set_questions(knowledge_set)
    return {row.item.id: row.item for row in rows if not row.is_held_back}


def find_question(knowledge_set: KnowledgeSet, id: str) -> SetQuestion | None:
    """Return the question with an id; None if the set has none."""
    return next((row for row in set_questions(knowledge_set) if row.item.id == id), None)
