"""The questions of a release as they are published, with their answers."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from corpora.core.items import Item, TwinItem
from corpora.models import Release, Snapshot
from corpora.selectors.questions import load_questions
from corpora.selectors.releases import read_index
from winoplatform.artifacts import store


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
        yield _published(questions[row["question"]], row)


def released_rows(release: Release, rows: Collection[Mapping[str, Any]]) -> list[Released]:
    """Return the questions of some rows of a release's index; no other question is read in full."""
    wanted = {row["question"] for row in rows}
    questions = {one.id: one for one in _questions(release.snapshot, wanted)}
    return [_published(questions[row["question"]], row) for row in rows]


def _questions(snapshot: Snapshot, ids: Collection[str]) -> list[TwinItem]:
    assert snapshot.questions is not None
    with store.open_artifact(snapshot.questions) as file:
        lines = (line.decode() for line in file)
        return [TwinItem.from_line(line) for line in lines if json.loads(line)["id"] in ids]


def _published(question: TwinItem, row: Mapping[str, Any]) -> Released:
    item = replace(
        as_item(question),
        id=row["qID"],
        group=group_of(row),
        options=question.options[::-1] if row["swapped"] else question.options,
        answer=row["answer"],
    )
    return Released(item, row["split"], tuple(row["files"]), question.id, row["swapped"])


def group_of(row: Mapping[str, Any]) -> str:
    """Return the published id that the twins of a row of the index share."""
    group: str = row["qID"].rpartition("-")[0]
    return group


def as_item(question: TwinItem) -> Item:
    """Return a question as an item that may be changed in any way."""
    return Item(**{field.name: getattr(question, field.name) for field in fields(Item)})
