"""Executes evaluations: the worker of a run shares its steps with all free workers."""

from evaluation.models import Evaluation
from evaluation.runner.blocks import Blocks, Work
from evaluation.runner.questions import questions_of
from evaluation.runner.statements import statements_work
from winoplatform.runs.attempts import Attempt

RECORDED = (
    "weights_sha256", "config_sha256", "revision", "data_sha256", "corpus_sha256", "code_version",
)  # fmt: skip


def evaluation(attempt: Attempt[Evaluation]) -> None:
    work = work_of(attempt)
    if not work.recorded():
        # Without a step nothing binds this attempt to what an earlier one has loaded.
        attempt.note(**dict.fromkeys(RECORDED, ""), head_check=None)
    attempt.report(work.rows_done(), total=work.n_rows, activity="preparing")
    if work.missing():
        work.compute_all(work.prepared())
    attempt.finish(**work.results(), done=work.n_rows)


def blocks_of_evaluation(attempt: Attempt[Evaluation]) -> None:
    """Help the worker that executes an evaluation; it has recorded the identities before."""
    work = work_of(attempt)
    work.help(work.prepared)


def work_of(attempt: Attempt[Evaluation]) -> Work:
    if attempt.run.is_of_statements:
        return statements_work(attempt)
    return Blocks(attempt, questions_of(attempt.run))
