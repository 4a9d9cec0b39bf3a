"""Blocks of items scored by several workers."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.provenance import code_version
from evaluation.methods import METHODS, Answer, Block, Job, Scorer
from evaluation.methods.protocol import CODE
from evaluation.models import Evaluation, EvaluationBlock
from evaluation.runner.inputs import READ, features_of, load_model
from evaluation.runner.questions import Questions, complete_groups
from filtering.models import Encoding
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
        items_scored = complete_groups(self.questions.items, self.answers())
        return {
            "predictions": store.put_bytes(items_scored.lines().encode()),
            "metrics": items_scored.metrics(),
            "dropped": dict(sorted((self.questions.dropped + items_scored.dropped).items())),
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
            self.pulse(number, f"text {done} of {n}{self.pace.rate_text(done)}")

        results = scorer(Block(number, items), progress)
        answers = [row if isinstance(row, Answer) else Answer(scores=row) for row in results]
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
        notes = {id: note for notes_of_step in recorded.values_list("notes", flat=True)
                 for id, note in notes_of_step.items()}  # fmt: skip
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
    details = {name: getattr(answer, name) for name in ("dropped", "unanswered", "evidence")}
    return {name: value for name, value in details.items() if value}


def _n_scores(item: Item, note: dict[str, Any]) -> int:
    return 0 if "dropped" in note or "unanswered" in note else len(item.options)


def _refuse_unusable(item: Item, answer: Answer) -> None:
    if answer.scores is None and bool(answer.dropped) != bool(answer.unanswered):
        return
    scores = np.zeros(0) if answer.scores is None else answer.scores
    if scores.shape != (len(item.options),) or not np.isfinite(scores).all():
        raise ValueError(
            f"item {item.id!r} has {len(item.options)} options and needs as many finite "
            f"scores, got {scores.tolist()}"
        )
    if answer.dropped or answer.unanswered:
        raise ValueError(f"item {item.id!r} has scores, so it is answered and not dropped")


def scorer_of(attempt: Attempt[Evaluation], questions: Questions) -> Scorer:
    """Prepare the method; record what determines the scores, or refuse what differs from it."""
    run, method = attempt.run, METHODS[attempt.run.method]
    attempt.note_same(data_sha256=questions.data_sha256, code_version=code_version(*CODE))
    model = None if method.use is None else load_model(attempt, method.use)
    return method.begin(
        Job(
            items=questions.unanswered,
            variant=run.variant,
            seed=run.seed,
            model=model,
            learned_from=_learned_from(run, questions) if method.is_supervised else (),
            features=partial(_features, run.encoding, questions) if run.encoding else None,
            **(READ[method.reads](attempt, questions) if method.reads else {}),
        )
    )


def _learned_from(run: Evaluation, questions: Questions) -> Sequence[Item]:
    """Return the training split; where a set has none, its own questions, as in the literature."""
    train = questions.labelled.train
    if run.release is None:
        train = train or questions.labelled.items
    if not train:
        raise ValueError("There are no questions in train to learn from.")
    return train


def _features(
    encoding: Encoding, questions: Questions, items: Sequence[Item]
) -> NDArray[np.float32]:
    """Return features of published questions: the encoding's, in the published option order."""
    return features_of(encoding, [questions.labelled.origins[item.id] for item in items])
