"""The questions of the release or reference set that a knowledge set is about.

They are in files, in published order. A list first notes the id of each question; only those that
are asked for are then read in full.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from corpora.core.bundle.layout import BLIND
from corpora.core.items import Item
from corpora.models import ReferenceSet
from corpora.selectors import (
    group_of,
    load_items,
    read_index,
    released,
    released_rows,
    secret_sentences,
)
from knowledge.models import KnowledgeSet
from winoplatform.artifacts import store
from workers.models import User


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """A question of a set, and whether a release holds its label back, or may do so.

    What is said of such a question tells its answer, so it is for curators alone.
    """

    item: Item
    is_held_back: bool


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question that is not read in full yet; ``row`` is its line, as JSON."""

    id: str
    group: str
    row: dict[str, Any]


@dataclass(frozen=True, slots=True)
class QuestionList:
    """The questions of a set that a user may see with their answers, in published order.

    Parameters
    ----------
    rows
        Those that the user may see, as far as the list tells; see ``hides``.
    every
        All of the set.
    hides
        Whether some of ``rows`` may be held back from the user, which only reading them tells.
    """

    knowledge_set: KnowledgeSet
    rows: Sequence[QuestionLine]
    every: Sequence[QuestionLine]
    hides: bool = False

    def read(self, rows: Sequence[QuestionLine]) -> list[SetQuestion]:
        """Read some of the questions in full, without those that are held back from the user."""
        release = self.knowledge_set.release
        if release is not None:
            published = released_rows(release, [row.row for row in rows])
            return [SetQuestion(row.item, row.split == BLIND) for row in published]
        found = _imported(_over(self.knowledge_set), rows, self.every)
        return [question for question in found if not (self.hides and question.is_held_back)]

    def group_of(self, id: str) -> list[SetQuestion]:
        """Read a question and its twins; empty if the list has no such question."""
        groups = {row.group for row in self.rows if row.id == id}
        return self.read([row for row in self.rows if row.group in groups])


def set_questions(knowledge_set: KnowledgeSet) -> Iterator[SetQuestion]:
    """Yield the questions, with the answers that are known here, in published order."""
    if knowledge_set.release is not None:
        for row in released(knowledge_set.release):
            yield SetQuestion(row.item, row.split == BLIND)
        return
    splits = _over(knowledge_set).splits.select_related("items")
    rows = [item for split in splits for item in load_items(split)]
    held_back = _held_back(_over(knowledge_set), rows)
    yield from (SetQuestion(row, row.group in held_back) for row in rows)


def questions(knowledge_set: KnowledgeSet) -> Iterator[Item]:
    """Yield the questions as curators see them."""
    yield from (row.item for row in set_questions(knowledge_set))


def questions_for_people(knowledge_set: KnowledgeSet, ids: Collection[str]) -> dict[str, Item]:
    """Return those of some questions that people who are not curators may see, by id.

    That is with their answer; a question of which nothing is known is left out.
    """
    wanted = set(ids)
    every = _question_lines(knowledge_set)
    rows = [row for row in every if row.id in wanted]
    read = QuestionList(knowledge_set, rows, every).read(rows)
    return {question.item.id: question.item for question in read if not question.is_held_back}


def question_list(knowledge_set: KnowledgeSet, *, user: User) -> QuestionList:
    """Return the list of a set's questions that *user* may see with their answers.

    Others than curators do not see those held back. Any sentence of a reference set that is not
    public may be one whose answer is secret here, so for them its list hides some.
    """
    every = _question_lines(knowledge_set)
    if user.is_curator:
        return QuestionList(knowledge_set, every, every)
    if knowledge_set.release is not None:
        visible = [row for row in every if row.row["split"] != BLIND]
        return QuestionList(knowledge_set, visible, every)
    return QuestionList(knowledge_set, every, every, hides=not _over(knowledge_set).is_public)


def find_question(knowledge_set: KnowledgeSet, id: str) -> SetQuestion | None:
    """Return the question with an id; None if the set has none."""
    every = _question_lines(knowledge_set)
    mine = [row for row in every if row.id == id][:1]
    return next(iter(QuestionList(knowledge_set, mine, every).read(mine)), None)


def _question_lines(knowledge_set: KnowledgeSet) -> list[QuestionLine]:
    if knowledge_set.release is not None:
        index = read_index(knowledge_set.release)
        return [QuestionLine(row["qID"], group_of(row), row) for row in index]
    lines = []
    for split in _over(knowledge_set).splits.select_related("items"):
        with store.open_artifact(split.items) as file:
            lines += [QuestionLine(row["id"], row["group"], row) for row in map(json.loads, file)]
    return lines


def _over(knowledge_set: KnowledgeSet) -> ReferenceSet:
    assert knowledge_set.reference_set is not None  # a constraint of the table
    return knowledge_set.reference_set


def _imported(
    reference_set: ReferenceSet, rows: Sequence[QuestionLine], every: Sequence[QuestionLine]
) -> list[SetQuestion]:
    """Read questions of a reference set; one is held back with all of its group."""
    groups = {row.group for row in rows}
    read = [(row, Item.from_values(row.row)) for row in every if row.group in groups]
    held_back = _held_back(reference_set, [item for _one, item in read])
    items = {id(row): item for row, item in read}
    return [SetQuestion(items[id(row)], row.group in held_back) for row in rows]


def _held_back(reference_set: ReferenceSet, items: Sequence[Item]) -> set[str]:
    """Return the groups of items that tell a secret answer of a campaign of this platform.

    A public set has none: it would not have been published.
    """
    if reference_set.is_public:
        return set()
    secret = secret_sentences({item.blanked for item in items})
    return {item.group for item in items if item.blanked in secret}
