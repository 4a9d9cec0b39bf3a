"""Maps of the questions that a model was trained on, with links to a campaign's questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from collection.models import Campaign
from corpora.core.items import Item
from corpora.selectors import read_index
from evaluation.models import FineTuning
from evaluation.selectors.fine_tunings import training_dynamics
from evaluation.selectors.training_items import training_items
from training.core.seeds import Cartography, Region, cartography, regions


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


@dataclass(frozen=True, slots=True)
class _Asked:
    """A finished fine-tuning, equal to itself at another time."""

    key: tuple[int, str | None]
    run: FineTuning = field(compare=False)


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
    return _mapped(_Asked((run.pk, run.dynamics_id), run))


@lru_cache(maxsize=4)
def _mapped(asked: _Asked) -> TrainingMap:
    run = asked.run
    dynamics = training_dynamics(run)
    found = cartography(dynamics.probabilities, dynamics.right)
    by_id = {item.id: item for item in training_items(run)}
    if not by_id.keys() >= set(dynamics.ids):
        raise ValueError("The questions it was trained on have changed.")
    items = [by_id[id] for id in dynamics.ids]
    of = regions(found)
    rows = (
        MappedItem(
            rank,
            items[at],
            float(found.confidence[at]),
            float(found.variability[at]),
            float(found.correctness[at]),
            of[at],
        )
        for rank, at in enumerate(found.hardest_first.tolist(), 1)
    )
    return TrainingMap(tuple(rows), found)


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
