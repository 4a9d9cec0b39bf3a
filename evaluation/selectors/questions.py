"""Queries for the labelled questions that an evaluation scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet

from corpora.core.items import Item
from corpora.models import Release
from corpora.selectors import (
    as_item,
    load_items,
    load_questions,
    read_index,
    released,
    training_file,
)
from evaluation.models import ArtifactDetection, Evaluation, HumanEvaluation
from filtering.models import Encoding

TRAIN = "train"
DEV = "dev"


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


def labelled(run: Evaluation | HumanEvaluation | ArtifactDetection) -> Labelled:
    """Return the questions that *run* scores or people answer, and those to learn from."""
    if run.release is not None:
        return _of_release(run.release, run.split)
    if run.snapshot is not None:
        return Labelled([as_item(question) for question in load_questions(run.snapshot)], [])
    return _of_reference_set(run)


def to_examine(run: ArtifactDetection) -> Labelled:
    """Return the labelled questions in which *run* looks for artifacts; none of a blind split."""
    if run.release is None:
        return labelled(run)
    found = _of_release(run.release, DEV)
    parts = {"train": found.train, "dev": found.items}
    items = parts.get(run.split, found.train + found.items)
    return Labelled(items, [], {item.id: found.origins[item.id] for item in items})


def _of_release(release: Release, split: str) -> Labelled:
    """Return a release's questions; its training split is the debiased one, if there is one."""
    found: dict[str, list[Item]] = {}
    origins = {}
    training = training_file(read_index(release))
    for row in released(release):
        if row.split == TRAIN and training not in row.files:
            continue
        found.setdefault(row.split, []).append(row.item)
        origins[row.item.id] = Origin(row.question, row.swapped)
    return Labelled(found.get(split, []), found.get(TRAIN, []), origins)


def encodings_for(run: ArtifactDetection) -> QuerySet[Encoding]:
    """Return the encodings that have, or will have, every question that *run* can examine.

    Those of the snapshot without a tuning, whose questions are not encoded, and the one that a
    release was filtered with. None for a reference set.
    """
    snapshot = run.snapshot if run.release is None else run.release.snapshot
    complete = Q(tuning=None)
    if run.release is not None and run.release.selection is not None:
        complete |= Q(filter_runs__selection=run.release.selection)
    rows = Encoding.objects.filter(complete, snapshot=snapshot, snapshot__isnull=False)
    return rows.exclude(status__in=Encoding.RESUMABLE).distinct().order_by("-pk")


def _of_reference_set(run: Evaluation | HumanEvaluation | ArtifactDetection) -> Labelled:
    assert run.reference_set is not None
    splits = {
        split.name: [item for item in load_items(split) if item.answer is not None]
        for split in run.reference_set.splits.filter(name__in=(TRAIN, run.split))
    }
    return Labelled(splits.get(run.split, []), splits.get(TRAIN, []))
