"""Queries for the labelled questions that models are fine-tuned on, and chosen by."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from corpora.core.items import Item
from corpora.core.transformations import TRANSFORMATIONS
from corpora.models import ReferenceSet, Release
from corpora.selectors import load_items, read_index, released, training_file
from evaluation.models import FineTuning
from training.core.drawing import sample
from training.models import TRAIN


def training_items(run: FineTuning) -> list[Item]:
    """Return the questions that *run* trains on, with answers, transformed.

    Raises
    ------
    ValueError
        As `drawn_items`; and when the transformation drops all.
    """
    return _transformed(drawn_items(run), run.transformation)


def drawn_items(run: FineTuning) -> list[Item]:
    """Return the questions that *run* trains on, with answers, before the transformation.

    Questions of several splits of a reference set have the split before their ids and groups, since
    these are unique within a split only.

    Raises
    ------
    ValueError
        When a split is missing or has no labelled questions, an id is in two of them, or no whole
        groups have the size.
    """
    is_joined = run.reference_set is not None and len(run.train_splits) > 1
    found = [
        replace(item, id=f"{split}/{item.id}", group=f"{split}/{item.group}") if is_joined else item
        for split in run.train_splits
        for item in labelled_split(run.release, run.reference_set, split)
    ]
    id, times = Counter(item.id for item in found).most_common(1)[0]
    if times > 1:
        raise ValueError(f"The splits {run.train_split} have the question {id!r} {times} times.")
    return found if run.size is None else sample(found, size=run.size, seed=run.seed)


def dev_items(run: FineTuning) -> list[Item]:
    """Return the questions by which *run* is chosen, with answers, transformed; none without."""
    if not run.dev_split:
        return []
    found = labelled_split(run.dev_release, run.dev_reference_set, run.dev_split)
    return _transformed(found, run.transformation)


def labelled_split(
    release: Release | None, reference_set: ReferenceSet | None, split: str
) -> list[Item]:
    """Return the labelled questions of a split; of a release's test split there are none.

    Raises
    ------
    ValueError
        When there are none.
    """
    if release is not None:
        found = _published(release, split)
    else:
        assert reference_set is not None
        rows = reference_set.splits.filter(name=split)
        found = [item for row in rows for item in load_items(row) if item.answer is not None]
    if not found:
        raise ValueError(f"There are no labelled questions in {split}.")
    return found


def _published(release: Release, split: str) -> list[Item]:
    """Return the questions of one of a release's public files with answers."""
    name = training_file(read_index(release)) if split == TRAIN else split
    # A second guard beside the constraint: rows of the blind split are never returned here.
    rows = released(release)
    return [row.item for row in rows if row.split in ("train", "dev") and name in row.files]


def _transformed(items: list[Item], transformation: str) -> list[Item]:
    if not transformation:
        return items
    found = [one for one in TRANSFORMATIONS[transformation](items).items if one.answer is not None]
    if not found:
        raise ValueError(f"The transformation “{transformation}” drops all questions.")
    return found


def n_learned(items: Iterable[Item], model: FineTuning) -> int:
    """Return how many items have the sentence and options of a question that *model* learned from.

    Also those of the fine-tunings before it count.
    """
    learned = {_text(item) for run in model.chain for item in drawn_items(run)}
    return sum(_text(item) in learned for item in items)


def _text(item: Item) -> tuple[str, str | None, frozenset[str]]:
    return " ".join(item.blanked.split()), item.candidate, frozenset(item.options)
