"""The questions of an evaluation, transformed, and divided into blocks."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.core.transformations import TELL_ANSWERS, TRANSFORMATIONS, Transformed
from corpora.provenance import data_sha256
from corpora.selectors import Labelled, labelled
from evaluation.models import Evaluation


@dataclass(frozen=True)
class Questions:
    """What an evaluation scores.

    Parameters
    ----------
    items : list of Item
        With answers, in published order.
    labelled : Labelled
        Before the transformation.
    dropped : Counter
        By reason: the items that the transformation dropped.
    transformation : str
        Its name, or empty.
    """

    items: list[Item]
    labelled: Labelled
    dropped: Counter[str]
    transformation: str = ""

    @cached_property
    def unanswered(self) -> list[Item]:
        """The items as a method gets them."""
        return [replace(item, answer=None) for item in self.items]

    @property
    def data_sha256(self) -> str:
        """The hash of the scored items, which tells nothing about the answers.

        If the transformation writes answers into the sentences, it is of the items before it.
        """
        if self.transformation not in TELL_ANSWERS:
            return data_sha256(self.unanswered)
        before = [replace(item, answer=None) for item in self.labelled.items]
        return data_sha256(before, transformation=self.transformation)

    @cached_property
    def order(self) -> list[int]:
        """Rows by length, so that a block has texts of similar length; ties by id."""
        lengths = [len(item.sentence) + max(map(len, item.options)) for item in self.items]
        return sorted(range(len(self.items)), key=lambda i: (lengths[i], self.items[i].id))

    @property
    def answers(self) -> NDArray[np.int64]:
        return np.array([item.answer for item in self.items], dtype=np.int64)

    @property
    def groups(self) -> list[str]:
        return [item.group for item in self.items]


def questions_of(run: Evaluation) -> Questions:
    """Read and transform the questions of an evaluation.

    Raises
    ------
    ValueError
        When there is nothing to score, or the transformation repeats an id or omits an answer.
    """
    found = labelled(run)
    if not found.items:
        raise ValueError(run.nothing_to_score)
    if not run.transformation:
        return Questions(found.items, found, Counter())
    made = TRANSFORMATIONS[run.transformation](found.items)
    _require_scorable(run, made, n_before=len(found.items))
    return Questions(made.items, found, made.dropped, run.transformation)


def _require_scorable(run: Evaluation, made: Transformed, *, n_before: int) -> None:
    if not made.items:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in sorted(made.dropped.items()))
        raise ValueError(
            f"The transformation “{run.transformation}” drops all {n_before} questions ({reasons})."
        )
    [(id, times)] = Counter(item.id for item in made.items).most_common(1)
    if times > 1 or any(item.answer is None for item in made.items):
        raise ValueError(
            f"The transformation “{run.transformation}” must give each item an id of its own and "
            f"an answer; the id {id!r} is there {times} times."
        )
