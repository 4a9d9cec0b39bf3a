"""Queries for the labelled questions that an evaluation scores."""

from dataclasses import dataclass

from corpora import release_files
from corpora.selectors import load_items
from evaluation.models import Evaluation


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question to answer: its published id and, in a release, its id in the snapshot."""

    qid: str
    group: str
    n_options: int
    answer: int
    source_id: str = ""
    swapped: bool = False


def labelled(run: Evaluation) -> dict[str, list[Labelled]]:
    """Return the questions of each labelled split that *run* uses, in published order."""
    return _of_reference_set(run) if run.release is None else _of_release(run)


def _of_release(run: Evaluation) -> dict[str, list[Labelled]]:
    assert run.release is not None
    splits: dict[str, list[Labelled]] = {}
    for row in release_files.read_index(run.release):
        found = Labelled(
            qid=row["qID"],
            group=row["qID"].rpartition("-")[0],
            n_options=2,
            answer=row["answer"],
            source_id=row["question"],
            swapped=row["swapped"],
        )
        splits.setdefault(row["split"], []).append(found)
    return splits


def _of_reference_set(run: Evaluation) -> dict[str, list[Labelled]]:
    assert run.reference_set is not None
    return {
        split.name: [
            Labelled(item.id, item.group, len(item.options), item.answer)
            for item in load_items(split)
            if item.answer is not None
        ]
        for split in run.reference_set.splits.filter(name__in=("train", run.split))
    }
