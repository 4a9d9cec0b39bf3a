"""Queries for the labelled questions of a split of a set, or of a whole snapshot."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from corpora.core.items import Item
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.selectors.questions import load_items, load_questions
from corpora.selectors.releases import as_item, read_index, released, training_file

TRAIN = "train"


class OfOneSet(Protocol):
    """A row about one split of a release or of a reference set, or about a whole snapshot."""

    split: str

    @property
    def release(self) -> Release | None: ...

    @property
    def reference_set(self) -> ReferenceSet | None: ...

    @property
    def snapshot(self) -> Snapshot | None: ...


@dataclass(frozen=True, slots=True)
class Origin:
    """A published question's id in the snapshot, and whether its options were swapped."""

    id: str
    swapped: bool


@dataclass(frozen=True, slots=True)
class Labelled:
    """Items with answers: those to score, and those of the training split, in published order.

    ``origins`` has the origin of each item of a release, by id.
    """

    items: list[Item]
    train: list[Item]
    origins: Mapping[str, Origin] = field(default_factory=dict)


def labelled(run: OfOneSet) -> Labelled:
    """Return the questions that *run* is about, and those of the training split."""
    if run.release is not None:
        return labelled_of_release(run.release, run.split)
    if run.snapshot is not None:
        return Labelled([as_item(question) for question in load_questions(run.snapshot)], [])
    return _of_reference_set(run)


def labelled_of_release(release: Release, split: str) -> Labelled:
    """Return a release's questions; its training split is the debiased one, if there is one."""
    rows: dict[str, list[Item]] = {}
    origins = {}
    training = training_file(read_index(release))
    for row in released(release):
        if row.split == TRAIN and training not in row.files:
            continue
        rows.setdefault(row.split, []).append(row.item)
        origins[row.item.id] = Origin(row.question, row.swapped)
    return Labelled(rows.get(split, []), rows.get(TRAIN, []), origins)


def _of_reference_set(run: OfOneSet) -> Labelled:
    assert run.reference_set is not None
    splits = {
        split.name: [item for item in load_items(split) if item.answer is not None]
        for split in run.reference_set.splits.filter(name__in=(TRAIN, run.split))
    }
    return Labelled(splits.get(run.split, []), splits.get(TRAIN, []))
