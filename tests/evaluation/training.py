"""A set with a planted cue, and fine-tunings that learn it in a second."""

import random
from typing import Any

from corpora.core.items import Item
from corpora.models import ReferenceSet
from evaluation import services
from evaluation.models import FineTuning
from evaluation.services import SplitOf
from tests.corpora.sets import imported
from tests.filtering.stages import TINY

THINGS = ("box", "cup", "hat", "bag", "pen", "key")
FAST: dict[str, Any] = {
    "model": TINY,
    "epochs": 3,
    "batch_size": 8,
    "learning_rate": 1e-3,
    "seed": 4,
}


def planted(name: str, pairs: int) -> list[Item]:
    """Twins of which the golden option is always right; the things are drawn by the name."""
    draw, found = random.Random(name), []
    for number in range(pairs):
        gold, stone = (
            f"{kind} {thing}"
            for kind, thing in zip(("the gold", "the stone"), draw.sample(THINGS, 2), strict=True)
        )
        for answer, options in ((1, (gold, stone)), (2, (stone, gold))):
            found.append(
                Item(
                    id=f"{name}-{number}-{answer}",
                    group=f"{name}-{number}",
                    sentence=f"Ann put _ on the table, {number} times.",
                    options=options,
                    answer=answer,
                )
            )
    return found


def planted_set(name: str = "planted", **pairs: int) -> ReferenceSet:
    """A set with pairs by split: by default 20 to train on, 10 for dev and 10 to test."""
    splits = pairs or {"train": 20, "dev": 10, "test": 10}
    lines = {
        split: [item.to_line() for item in planted(f"{name}-{split}", n)]
        for split, n in splits.items()
    }
    return imported(name, format="items", splits=lines)


def fine_tuned(data: ReferenceSet, **changes: Any) -> FineTuning:
    """Request a fine-tuning of the tiny encoder on the training split of a set."""
    split = changes.pop("train_split", "train")
    asked = {"by": None, "train": SplitOf(split, reference_set=data)} | FAST | changes
    return services.fine_tune(**asked)
