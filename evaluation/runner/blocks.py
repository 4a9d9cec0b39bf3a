"""Blocks of items scored by several workers."""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from corpora.core.items import Item
from evaluation.methods import Answer, Block, Scorer
from evaluation.models import Evaluation, EvaluationBlock
from evaluation.runner.questions import Questions
from evaluation.runner.scored import scored
from evaluation.runner.scorers import scorer_of
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.pace import Pace
from winoplatform.runs.sharing import SharedSteps


class Work(SharedSteps[Evaluation]):
    """The steps of an evaluation; what one records depends only on the run and its number."""

    STEP = EvaluationBlock
    NOUN = "block"
    ACTIVITY = "scoring"

    @abstractmethod
    def prepared(self) -> Callable[[int], EvaluationBlock]:
        """Record what determines the scores, or refuse what differs; return what computes a step.

        It is called by each worker before its first step.
        """

    @abstractmethod
    def results(self) -> dict[str, Any]:
        """Return the columns of the finished evaluation, from the recorded steps."""


class Blocks(Work):
    """The questions of an evaluation in blocks.

    A block's scores depend only on its questions and the model, not on the worker.
    """

    def __init__(self, attempt: Attempt[Evaluation], questions: Questions) -> None:
        super().__init__(attempt, n_rows=len(questions.items), step_size=attempt.run.block_size)
        self.questions, self.pace = questions, Pace()

    def prepared(self) -> Callable[[int], EvaluationBlock]:
        return partial(self.score, scorer_of(self.attempt, self.questions))

    def results(self) -> dict[str, Any]:
        found = scored(self.questions.items, self.answers())
        return {
            "predictions": store.put_bytes(found.lines().encode()),
            "metrics": found.metrics(),
            "dropped": dict(sorted((self.questions.dropped + found.dropped).items())),
        }

    def score(self, scorer: Scorer, number: int) -> EvaluationBlock:
        """Score the questions of a block.

        Raises
        ------
        ValueError
            When the method does not give one finite number per option.
        """
        rows = self.questions.order[self.rows_of(number)]
        items = [self.questions.unanswered[row] for row in rows]

        def progress(done: int, n: int) -> None:
            self.pulse(number, f"text {done} of {n}{self.pace.said(done)}")

        found = scorer(Block(number, items), progress)
        answers = [one if isinstance(one, Answer) else Answer(scores=one) for one in found]
        pairs = list(zip(items, answers, strict=True))
        for item, answer in pairs:
            _refuse_unusable(item, answer)
        flat = chain.from_iterable(a.scores.tolist() for a in answers if a.scores is not None)
        notes = {item.id: note for item, answer in pairs if (note := _note(answer))}
        return EvaluationBlock(run=self.run, number=number, scores=list(flat), notes=notes)

    def answers(self) -> list[Answer]:
        """Return what is recorded of each question, in published order.

        Raises
        ------
        ValueError
            When the number of scores is not that of the options.
        """
        recorded = self.STEP._default_manager.filter(run=self.run).order_by("number")
        flat = np.fromiter(
            chain.from_iterable(recorded.values_list("scores", flat=True)), dtype=np.float64
        )
        notes = {id: note for found in recorded.values_list("notes", flat=True)
                 for id, note in found.items()}  # fmt: skip
        ordered = [self.questions.items[row] for row in self.questions.order]
        sizes = [_n_scores(item, notes.get(item.id, {})) for item in ordered]
        if len(flat) != sum(sizes):
            raise ValueError(
                f"The recorded blocks hold {len(flat)} scores, the questions have {sum(sizes)} "
                "options; start a new evaluation."
            )
        parts = np.split(flat, np.cumsum(sizes)[:-1])
        by_id = {
            item.id: Answer(scores=part if len(part) else None, **notes.get(item.id, {}))
            for item, part in zip(ordered, parts, strict=True)
        }
        return [by_id[item.id] for item in self.questions.items]


def _note(answer: Answer) -> dict[str, Any]:
    """Return what a method says besides the scores, as the fields of an `Answer`."""
    said = {name: getattr(answer, name) for name in ("dropped", "unanswered", "evidence")}
    return {name: value for name, value in said.items() if value}


def _n_scores(item: Item, note: dict[str, Any]) -> int:
    return 0 if "dropped" in note or "unanswered" in note else len(item.options)


def _refuse_unusable(item: Item, answer: Answer) -> None:
    if answer.scores is None and bool(answer.dropped) != bool(answer.unanswered):
        return
    found = np.zeros(0) if answer.scores is None else answer.scores
    if found.shape != (len(item.options),) or not np.isfinite(found).all():
        raise ValueError(
            f"item {item.id!r} has {len(item.options)} options and needs as many finite "
            f"scores, got {found.tolist()}"
        )
    if answer.dropped or answer.unanswered:
        raise ValueError(f"item {item.id!r} has scores, so it is answered and not dropped")
