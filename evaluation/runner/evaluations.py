"""Executes evaluations: the worker of a run shares its blocks with all free workers."""

from functools import partial

from evaluation.methods import Answer
from evaluation.models import Evaluation
from evaluation.runner.blocks import Blocks
from evaluation.runner.identity import forget
from evaluation.runner.questions import Questions, questions_of
from evaluation.runner.scored import scored
from evaluation.runner.scorers import scorer_of
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt


def evaluation(attempt: Attempt[Evaluation]) -> None:
    questions = questions_of(attempt.run)
    blocks = Blocks(attempt, questions)
    if not blocks.recorded():
        # Without a block nothing binds this attempt to what an earlier one has loaded.
        forget(attempt)
    attempt.report(blocks.rows_done(), total=len(questions.items), activity="preparing")
    if blocks.missing():
        blocks.compute_all(partial(blocks.score, scorer_of(attempt, questions)))
    _finish(attempt, questions, blocks.answers())


def blocks_of_evaluation(attempt: Attempt[Evaluation]) -> None:
    """Help the worker that executes an evaluation; it has recorded the identities before."""
    questions = questions_of(attempt.run)
    blocks = Blocks(attempt, questions)
    if blocks.missing():
        blocks.compute_free(partial(blocks.score, scorer_of(attempt, questions)))


def _finish(attempt: Attempt[Evaluation], questions: Questions, answers: list[Answer]) -> None:
    found = scored(questions.items, answers)
    attempt.finish(
        predictions=store.put_bytes(found.lines().encode()),
        metrics=found.metrics(),
        dropped=dict(sorted((questions.dropped + found.dropped).items())),
        done=len(questions.items),
    )
