"""The labelled questions that models are fine-tuned on and chosen by, and maps of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from collection.models import Campaign
from corpora.core.items import Item
from corpora.core.transformations import TRANSFORMATIONS
from corpora.models import ReferenceSet, Release
from corpora.selectors import load_items, read_index, released, training_file
from evaluation.models import FineTuning
from evaluation.selectors.answers import Keyed
from evaluation.selectors.fine_tunings import training_dynamics
from training.core.drawing import sample
from training.core.seeds import Cartography, Region, cartography, regions
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
    drawn = [
        replace(item, id=f"{split}/{item.id}", group=f"{split}/{item.group}") if is_joined else item
        for split in run.train_splits
        for item in labelled_split(run.release, run.reference_set, split)
    ]
    id, times = Counter(item.id for item in drawn).most_common(1)[0]
    if times > 1:
        raise ValueError(f"The splits {run.train_split} have the question {id!r} {times} times.")
    return drawn if run.size is None else sample(drawn, size=run.size, seed=run.seed)


def dev_items(run: FineTuning) -> list[Item]:
    """Return the questions by which *run* is chosen, with answers, transformed; none without."""
    if not run.dev_split:
        return []
    dev = labelled_split(run.dev_release, run.dev_reference_set, run.dev_split)
    return _transformed(dev, run.transformation)


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
    transformed = [
        item for item in TRANSFORMATIONS[transformation](items).items if item.answer is not None
    ]
    if not transformed:
        raise ValueError(f"The transformation “{transformation}” drops all questions.")
    return transformed


def n_learned(items: Iterable[Item], model: FineTuning) -> int:
    """Return how many items have the sentence and options of a question that *model* learned from.

    Also those of the fine-tunings before it count.
    """
    learned = {_text(item) for run in model.chain for item in drawn_items(run)}
    return sum(_text(item) in learned for item in items)


def _text(item: Item) -> tuple[str, str | None, frozenset[str]]:
    return " ".join(item.blanked.split()), item.candidate, frozenset(item.options)


@dataclass(frozen=True, slots=True)
class MappedItem:
    """A question on the map; ``rank`` counts from 1, the hardest."""

    rank: int
    item: Item
    confidence: float
    variability: float
    correctness: float
    regions: tuple[Region, ...]

    @property
    def is_below_chance(self) -> bool:
        """Whether its label was less probable than any of its options at random."""
        return self.confidence < 1 / len(self.item.options)

    @property
    def label(self) -> str:
        """The text of its answer."""
        assert self.item.answer is not None
        return self.item.options[self.item.answer - 1]


@dataclass(frozen=True, slots=True)
class TrainingMap:
    """All questions of a map, the hardest first."""

    items: tuple[MappedItem, ...]
    found: Cartography


def training_map(run: FineTuning) -> TrainingMap:
    """Return the map of a finished fine-tuning of at least two epochs.

    It never changes, and takes 0.09 s of CPU for train_m's 2,558 questions, in proportion to their
    number, so 1.5 s for WinoGrande's 40,398. A process therefore keeps the last ones, through which
    the page's table is turned.

    Raises
    ------
    ValueError
        When it had one epoch, or its questions are no longer there.
    """
    return _mapped(Keyed((run.pk, run.dynamics_id), run))


@lru_cache(maxsize=4)
def _mapped(asked: Keyed[FineTuning]) -> TrainingMap:
    run = asked.of
    dynamics = training_dynamics(run)
    mapped_items = cartography(dynamics.probabilities, dynamics.right)
    by_id = {item.id: item for item in training_items(run)}
    if not by_id.keys() >= set(dynamics.ids):
        raise ValueError("The questions it was trained on have changed.")
    items = [by_id[id] for id in dynamics.ids]
    of = regions(mapped_items)
    rows = (
        MappedItem(
            rank,
            items[at],
            float(mapped_items.confidence[at]),
            float(mapped_items.variability[at]),
            float(mapped_items.correctness[at]),
            of[at],
        )
        for rank, at in enumerate(mapped_items.hardest_first.tolist(), 1)
    )
    return TrainingMap(tuple(rows), mapped_items)


def campaign_of_training(run: FineTuning) -> Campaign | None:
    """Return the campaign whose questions were trained on; None for a reference set."""
    return run.release.snapshot.campaign if run.release is not None else None


def questions_of_items(run: FineTuning, ids: Sequence[str]) -> Mapping[str, str]:
    """Return the public ids of a campaign's questions, by the ids of a release's items.

    The blind split is left out.
    """
    if run.release is None:
        return {}
    wanted = set(ids)
    rows = read_index(run.release)
    return {
        row["qID"]: row["question"]
        for row in rows
        if row["qID"] in wanted and row["split"] in ("train", "dev")
    }
