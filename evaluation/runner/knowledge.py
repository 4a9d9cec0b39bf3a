"""Executes evaluations on knowledge: blocks of statements, or classifiers one after another."""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.core.knowledge import VALID, Statement, document_of, subset
from evaluation.core.knowledge.detector import detected
from evaluation.core.knowledge.documents import answers_of
from evaluation.core.knowledge.statements import ALL, subsets_of
from evaluation.loading import code_version
from evaluation.models import KnowledgeEvaluation
from evaluation.runner.knowledge_scoring import Scoring, Training, Work
from evaluation.selectors import StatementSet, recorded_margins, statements_of
from knowledge.core.tables import majority
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt

Floats = NDArray[np.float64]
TEXTS = ("weights_sha256", "config_sha256", "revision", "data_sha256", "code_version")


def knowledge_evaluation(attempt: Attempt[KnowledgeEvaluation]) -> None:
    run = attempt.run
    found = statements_of(run)
    if run.method == KnowledgeEvaluation.Method.MAJORITY:
        _finish(attempt, found, _majority(attempt, found), folds=None)
        return
    work = _work(attempt, found)
    if not work.recorded():
        # Without a step nothing binds this attempt to what an earlier one has loaded.
        attempt.note(**dict.fromkeys(TEXTS, ""), head_check=None)
    _identify(attempt, work)
    attempt.report(work.rows_done(), total=work.n_rows, activity="preparing")
    work.compute_all(work.compute)
    _finish(attempt, found, work.margins(), folds=work.folds)


def steps_of_knowledge_evaluation(attempt: Attempt[KnowledgeEvaluation]) -> None:
    """Help the worker that executes an evaluation; it has recorded the identities before."""
    if attempt.run.method == KnowledgeEvaluation.Method.MAJORITY:
        return
    work = _work(attempt, statements_of(attempt.run))
    if work.missing():
        _identify(attempt, work)
        work.compute_free(work.compute)


def _work(attempt: Attempt[KnowledgeEvaluation], found: StatementSet) -> Work:
    trained = attempt.run.method == KnowledgeEvaluation.Method.CLASSIFIER
    return (Training if trained else Scoring)(attempt, found.statements)


def _identify(attempt: Attempt[KnowledgeEvaluation], work: Work) -> None:
    attempt.note_same(data_sha256=work.data_sha256, code_version=code_version())


def _majority(attempt: Attempt[KnowledgeEvaluation], found: StatementSet) -> Floats:
    """Return 1, -1 or 0 (a tie) where most members say true, false, or neither: (n_seeds, n)."""
    members = list(attempt.run.members.order_by("pk"))
    attempt.report(0, total=len(found.statements), activity="counting")
    answers = np.stack([answers_of(recorded_margins(one)) for one in members])
    if answers.shape[2] != len(found.statements):
        raise ValueError("The members have scored other statements.")
    return np.stack([2 * majority(of_seed) - 1 for of_seed in answers.swapaxes(0, 1)])


def _finish(
    attempt: Attempt[KnowledgeEvaluation],
    found: StatementSet,
    margins: Floats,
    *,
    folds: NDArray[np.int64] | None,
) -> None:
    attempt.pulse("computing figures")
    of_pairs = VALID if VALID in subsets_of(found.statements) else ALL
    seen = [found.statements[row] for row in subset(found.statements, of_pairs)]
    figures = document_of(
        found.statements,
        answers_of(margins),
        seeds=attempt.run.seeds,
        folds=folds,
        left_out=found.left_out,
        detectors=detected(seen),
    )
    attempt.finish(
        answers=store.put_bytes(_lines(found.statements, margins).encode()),
        figures=figures,
        done=attempt.run.total,
    )


def _lines(statements: Sequence[Statement], margins: Floats) -> str:
    """Return JSON lines of a statement's id and the system's margins, one for each seed."""
    answers = answers_of(margins)
    rows = (
        {
            "id": one.id,
            "variant": one.variant,
            "label": one.label,
            "answers": answers[:, row].tolist(),
            "margins": margins[:, row].tolist(),
        }
        for row, one in enumerate(statements)
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows)
