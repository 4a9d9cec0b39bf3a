"""Items as questions that a model is trained on, drawn by groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpora.core.forms import clozes
from corpora.core.items import BLANK, Item

if TYPE_CHECKING:
    from modeling.finetuning import Questions
import numpy as np
from numpy.typing import NDArray

from stats.keys import fill_up, priorities


def questions(items: Sequence[Item], form: str, loss: str) -> Questions:
    """Return items as a model is trained on them; without answers, the first option is taken.

    A pronoun is a blank, and a premise has its options after ``because`` or ``so``. A true/false
    item is a choice between its candidate and its pronoun as it stands (`to_reading`).

    Parameters
    ----------
    items : sequence of Item, at least 1
    form, loss : str
        As in `modeling.finetuning`.

    Raises
    ------
    ValueError
        When there is no item, or a sentence contains another underscore.
    """
    from modeling.finetuning import Questions, texts_of

    asked = clozes(items, readings=True)
    answers = [(item.answer or 1) - 1 for item in items]
    if loss == "mc_mlm":
        return Questions(asked, answers)
    return Questions(
        [texts_of(one.before + BLANK + one.after, one.options, form) for one in asked], answers
    )


def sample(items: Sequence[Item], *, size: int, seed: int) -> list[Item]:
    """Return *size* items, whole groups at a time, in the order given.

    Groups are taken in an order that depends only on (seed, group); one that would overfill the
    sample is skipped. So samples of one seed differ little beyond their size.

    Raises
    ------
    ValueError
        When there are fewer items, or no groups have this size together.

    Examples
    --------
    >>> pairs = [Item(id=f"{n}", group=f"{n // 2}", sentence="_ is.", options=("a", "b"))
    ...          for n in range(6)]
    >>> [item.group for item in sample(pairs, size=4, seed=1)]
    ['0', '0', '2', '2']
    """
    taken = _taken(items, room=size, seed=seed)
    drawn_items = [item for item, is_taken in zip(items, taken, strict=True) if is_taken]
    if len(drawn_items) != size:
        raise ValueError(
            f"size is {size:,}, and whole groups of the {len(items):,} questions make "
            f"{len(drawn_items):,}; choose another size."
        )
    return drawn_items


def parted(
    items: Sequence[Item], *, n_train: int, n_dev: int, seed: int
) -> tuple[list[Item], list[Item]]:
    """Return all items in two parts of exact sizes, whole groups at a time, in the order given.

    Raises
    ------
    ValueError
        When the sizes are not those of all items together, or no groups have the size of dev.
    """
    if n_train + n_dev != len(items):
        raise ValueError(
            f"n_train and n_dev must be {len(items):,} together, got {n_train:,} and {n_dev:,}"
        )
    dev = {item.id for item in sample(items, size=n_dev, seed=seed)}
    return ([item for item in items if item.id not in dev],
            [item for item in items if item.id in dev])  # fmt: skip


def _taken(items: Sequence[Item], *, room: int, seed: int) -> NDArray[np.bool_]:
    groups, of_item, sizes = np.unique(
        [item.group for item in items], return_inverse=True, return_counts=True
    )
    order = np.argsort(priorities(groups.tolist(), seed=seed, purpose="fine-tuning"))
    taken = np.zeros(len(groups), dtype=bool)
    taken[order[fill_up(sizes[order], room=room)]] = True
    item_taken: NDArray[np.bool_] = taken[of_item]
    return item_taken
