"""The questions of an evaluation, transformed, and the result of what its method answered."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.core.metrics import accuracy, credits, group_score
from corpora.core.transformations import TELL_ANSWERS, TRANSFORMATIONS, Transformed
from corpora.core.transformations.results import GROUP_INCOMPLETE
from corpora.provenance import data_sha256
from corpora.selectors import Labelled, labelled
from evaluation.core.below_chance import below_chance, most_frequent
from evaluation.methods import Answer
from evaluation.methods.protocol import Floats
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
    labelled_set = labelled(run)
    if not labelled_set.items:
        raise ValueError(run.nothing_to_score)
    if not run.transformation:
        return Questions(labelled_set.items, labelled_set, Counter())
    made = TRANSFORMATIONS[run.transformation](labelled_set.items)
    _require_scorable(run, made, n_before=len(labelled_set.items))
    return Questions(made.items, labelled_set, made.dropped, run.transformation)


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


@dataclass(frozen=True)
class ScoredItems:
    """The items of complete groups, each with what the method says, and how many were dropped."""

    items: list[Item]
    answers: list[Answer]
    dropped: Counter[str]

    def lines(self) -> str:
        """Return JSON lines of qID, prediction and scores, and of what is to be shown with them."""
        rows = zip(self.items, self.answers, strict=True)
        return "".join(f"{json.dumps(_row(item, answer))}\n" for item, answer in rows)

    def metrics(self) -> dict[str, Any]:
        credit, groups = self._credits(), [item.group for item in self.items]
        return {
            "accuracy": asdict(accuracy(credit, groups)),
            "group_score": asdict(group_score(credit, groups)),
            "chance": {"value": self._chance(), "low": None, "high": None, "n": len(credit)},
            **self._below_chance(),
        }

    def _below_chance(self) -> dict[str, Any]:
        """Return the accuracy of what is answered if it is far below chance, else nothing."""
        credit = self._credits()
        rows = [row for row, answer in enumerate(self.answers) if answer.scores is not None]
        items = [self.items[row] for row in rows]
        warning = below_chance(
            credit[rows],
            np.array([item.answer for item in items], dtype=np.int64),
            [len(item.options) for item in items],
            [item.group for item in items],
        )
        return {"below_chance": warning.as_metric()} if warning else {}

    def _chance(self) -> float | None:
        """Return the accuracy of random answers; for true/false items, of the most frequent one."""
        if all(item.form == "truth" for item in self.items):
            answers = [item.answer or 0 for item in self.items]
            return most_frequent(answers, [item.group for item in self.items]).single
        return float(np.mean([1 / len(item.options) for item in self.items]))

    def _credits(self) -> Floats:
        """Return the credit of each item; an item without an answer counts as wrong."""
        credit = np.zeros(len(self.items))
        rows = [row for row, answer in enumerate(self.answers) if answer.scores is not None]
        scores = [answer.scores for answer in self.answers if answer.scores is not None]
        credit[rows] = credits(
            scores, np.array([self.items[row].answer for row in rows], dtype=np.int64)
        )
        return credit


def complete_groups(items: Sequence[Item], answers: Sequence[Answer]) -> ScoredItems:
    """Leave out the groups of items that the method dropped.

    Raises
    ------
    ValueError
        When nothing is left.
    """
    dropped = Counter(answer.dropped for answer in answers if answer.dropped)
    pairs = list(zip(items, answers, strict=True))
    incomplete = {item.group for item, answer in pairs if answer.dropped}
    complete = [pair for pair in pairs if pair[0].group not in incomplete]
    if others := len(items) - len(complete) - dropped.total():
        dropped[GROUP_INCOMPLETE] += others
    if not complete:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in sorted(dropped.items()))
        raise ValueError(f"The method drops all {len(items)} questions ({reasons}).")
    return ScoredItems(
        [item for item, _answer in complete], [answer for _item, answer in complete], dropped
    )


def _row(item: Item, answer: Answer) -> dict[str, Any]:
    if answer.scores is None:
        nothing = {"qID": item.id, "prediction": None, "scores": None}
        return nothing | {"unanswered": answer.unanswered}
    best = int(answer.scores.argmax()) + 1
    row = {"qID": item.id, "prediction": best, "scores": answer.scores.tolist()}
    return row | ({"evidence": list(answer.evidence)} if answer.evidence else {})
