"""Executes AFLite's controls, which are one phase each."""

import time
from typing import Literal, cast

import numpy as np

from corpora.core.items import TwinItem
from filtering import selectors
from filtering.core.controls import Reduction, reduce_to
from filtering.core.pmi import PmiScore, twin_scores
from filtering.models import FilterRun, Phase
from filtering.runner.filter_runs import finish, phases_done, removed_ids
from filtering.runner.fresh_models import FreshFigures
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt

STOP_REASON = "size_reached"


def control(attempt: Attempt[FilterRun]) -> None:
    run = attempt.run
    questions = selectors.encoded_questions(run.encoding)
    size = run.size if run.reference is None else run.reference.n_kept
    assert size is not None
    attempt.report(0, total=max(len(questions) - size, 1), activity="ranking the questions")
    phases = phases_done(run)
    if not phases:
        phase = _phase(run, questions, size)
        attempt.record(phase, done=phase.n_removed)
        phases = [phase]
    fresh = FreshFigures(attempt, questions)
    finish(
        attempt, questions, fresh, [removed_ids(phase, questions) for phase in phases], STOP_REASON
    )


def _phase(run: FilterRun, questions: list[TwinItem], size: int) -> Phase:
    start = time.monotonic()
    reduction = _reduction(run, questions, size)
    n = len(questions)
    nothing = np.zeros(n, dtype=np.int32)
    arrays = np.stack([np.arange(n), nothing, nothing, reduction.removed])  # (4, n)
    n_removed = int(reduction.removed.sum())
    return Phase(
        run=run,
        number=1,
        seconds=time.monotonic() - start,
        n_before=n,
        n_removed=n_removed,
        never_held_out=0,
        eligible=n_removed,
        tied_at_cutoff=reduction.tied_at_cutoff,
        unconverged=0,
        accuracy=None,
        histogram=[],
        arrays=store.put_array(arrays.astype(np.int32)),
    )


def _reduction(run: FilterRun, questions: list[TwinItem], size: int) -> Reduction:
    twins = [question.group for question in questions]
    scores = None
    if run.method == FilterRun.Method.PMI:
        scores = twin_scores(
            [question.sentence for question in questions],
            [question.answer for question in questions],
            twins,
            score=cast(PmiScore, run.pmi_score),
        )
    return reduce_to(
        size,
        ids=[question.id for question in questions],
        twins=twins,
        seed=run.seed,
        removal=cast(Literal["individual", "together"], run.removal),
        scores=scores,
    )
