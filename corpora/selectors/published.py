"""The questions of a release as they are published, with their answers."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from corpora.core.items import Item, TwinItem
from corpora.models import Release
from corpora.selectors.questions import load_questions
from corpora.selectors.releases import read_index


@dataclass(frozen=True, slots=True)
class Released:
    """A question of a release.

    Parameters
    ----------
    item
        With the published id, group and order of options, and the answer also if it is blind.
    split, files
        Where it is published.
    question
        Its id in the snapshot.
    swapped
        Whether its options stand in the other order than in the snapshot.
    """

    item: Item
    split: str
    files: tuple[str, ...]
    question: str
    swapped: bool


def released(release: Release) -> Iterator[Released]:
    """Yield the questions of a release that is done, in the order of its index."""
    questions = {question.id: question for question in load_questions(release.snapshot)}
    for row in read_index(release):
        question = questions[row["question"]]
        item = replace(
            as_item(question),
            id=row["qID"],
            group=row["qID"].rpartition("-")[0],
            options=question.options[::-1] if row["swapped"] else question.options,
            answer=row["answer"],
        )
        yield Released(item, row["split"], tuple(row["files"]), question.id, row["swapped"])


def as_item(question: TwinItem) -> Item:
    """Return a question as an item that may be changed in any way."""
    return Item(**{field.name: getattr(question, field.name) for field in fields(Item)})
