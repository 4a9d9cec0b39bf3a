"""Executes filter runs, and the fresh models after them."""

import time
from collections.abc import Collection, Hashable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import TwinItem
from corpora.core.repeats import table_of
from filtering import provenance, selectors
from filtering.core.aflite import AFLite
from filtering.core.engines.products import pick_device
from filtering.core.filter_results import FORMAT, plain
from filtering.core.one_half import Direction
from filtering.core.phases import Phase as PhaseFound
from filtering.core.phases import PhaseDone
from filtering.core.pmi import PmiScore, twin_scores
from filtering.core.probes import SEED, ProbeKind, Reduction, probe, reduce_to
from filtering.core.removal import Votes
from filtering.core.stopping import StopReason
from filtering.models import AFLITE_SETTINGS, FilterRun, Phase
from winoplatform.artifacts import store
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt

Figures = dict[str, Any]
Bools = NDArray[np.bool_]
NAMES = {"linear": "linear model", "nonlinear": "non-linear model"}


def probed(
    kind: ProbeKind,
    run: FilterRun,
    questions: Sequence[TwinItem],
    among: Bools | None,
    *,
    seed: int,
    attempt: Attempt[Any],
) -> Figures:
    """Cross-validate a fresh model; return accuracy and leak for each comparison of `probe`."""
    assert run.encoding.matrix is not None
    probe_result = probe(
        kind,
        store.load_array(run.encoding.matrix),
        np.array([question.answer == 1 for question in questions]),
        ids=[question.id for question in questions],
        twins=[question.group for question in questions],
        seed=seed,
        among=among,
        progress=lambda done, n: attempt.pulse(f"fresh {NAMES[kind]}: {done} of {n}"),
    )
    figures: Figures = {
        way: {
            "accuracy": figure.accuracy,
            "leak": {"direction": figure.direction, "detectable": figure.detectable},
        }
        for way in ("grouped", "paired", "unpaired")
        for figure in (getattr(probe_result, way),)
    }
    return figures | {"individual": {"accuracy": probe_result.individual}}


@dataclass(frozen=True)
class FreshFigures:
    """Fresh linear models on all questions of a run, and on those that it keeps.

    The models on all questions decide whether AFLite removes any, so that this decision and the
    figure are one.
    """

    attempt: Attempt[FilterRun]
    questions: Sequence[TwinItem]

    @cached_property
    def whole(self) -> Figures:
        """The figures for all questions, of another run over the same encoding if it has any."""
        run = self.attempt.run
        others = FilterRun.objects.filter(encoding=run.encoding_id, fresh_models__format=FORMAT)
        figures: Figures | None = others.values_list("fresh_models__all", flat=True).first()
        return figures or self._measured(None)

    def side(self) -> Direction | None:
        """Return the side of one half that models on all questions are on."""
        return cast(Direction | None, self.whole["grouped"]["leak"]["direction"])

    def before_and_after(self, kept: set[str]) -> Figures:
        among = np.array([question.id in kept for question in self.questions])
        after = self.whole if among.all() else self._measured(among)
        return {"format": FORMAT, "all": self.whole, "kept": after}

    def _measured(self, among: Bools | None) -> Figures:
        result = probed(
            "linear", self.attempt.run, self.questions, among, seed=SEED, attempt=self.attempt
        )
        return cast(Figures, plain(result))


def estimator(run: FilterRun, *, device: str = "auto") -> AFLite:
    """Return AFLite with the run's settings."""
    settings: dict[str, Any] = {name: getattr(run, name) for name in AFLITE_SETTINGS}
    return AFLite(**settings | {"device": device})


def filter_run(attempt: Attempt[FilterRun]) -> None:
    run = attempt.run
    questions = selectors.encoded_questions(run.encoding)
    fresh = FreshFigures(attempt, questions)
    done, stop_reason = _phases(attempt, questions, fresh)
    finish(attempt, questions, fresh, [phase.removed_ids for phase in done], stop_reason)


def _phases(
    attempt: Attempt[FilterRun], questions: list[TwinItem], fresh: FreshFigures
) -> tuple[list[PhaseDone], StopReason]:
    """Run the phases that are not recorded yet; return all phases and the stop reason."""
    run = attempt.run
    assert run.encoding.matrix is not None
    done = [_phase_done(step, questions) for step in phases_done(run)]
    n_removed = sum(len(phase.removed_ids) for phase in done)
    attempt.report(
        n_removed, total=max(len(questions) - run.m, 1), activity=f"phase {len(done) + 1}"
    )
    filtering = estimator(run, device=_device(attempt))
    table = filtering.checked_table(
        store.load_array(run.encoding.matrix),
        np.array([question.answer for question in questions]),
        groups=[question.group for question in questions],
        ids=[question.id for question in questions],
    )
    phase_loop = filtering.phase_loop(
        table, lambda trained, n: _tell(attempt, len(done), trained, n), side=fresh.side
    )
    start = time.monotonic()
    for phase in phase_loop.phases(done):
        n_removed += phase.n_removed
        step = _recorded(run, phase, questions, seconds=time.monotonic() - start)
        attempt.record(step, done=n_removed, activity=f"phase {phase.number + 1}")
        done.append(PhaseDone(phase.removed_ids, phase.stop_reason))
        start = time.monotonic()
    stop_reason = done[-1].stop_reason if done else phase_loop.reason_not_to_start
    assert stop_reason is not None  # otherwise there would be another phase
    return done, stop_reason


def _tell(attempt: Attempt[FilterRun], n_done: int, trained: int, n: int) -> None:
    attempt.pulse(f"phase {n_done + 1}, {trained} of {n} classifiers trained")


def _phase_done(step: Phase, questions: list[TwinItem]) -> PhaseDone:
    reason = cast(StopReason | None, step.stop_reason or None)
    return PhaseDone(removed_ids(step, questions), reason)


def _device(attempt: Attempt[FilterRun]) -> str:
    """Choose a device and record its kind; a later attempt uses the same kind or fails."""
    run = attempt.run
    try:
        device = pick_device(run.device_used or "auto").type
    except ValueError as error:
        raise ValueError(
            f"This run began on {run.device_used}, which this worker does not have; resume it on a "
            "worker that has it, or start a new run."
        ) from error
    attempt.note(device_used=device)
    return device


def finish(
    attempt: Attempt[FilterRun],
    questions: list[TwinItem],
    fresh: FreshFigures,
    removed: list[Collection[Hashable]],
    stop_reason: str,
) -> None:
    """Finish a run, of AFLite or a control, with the questions that no phase removed."""
    run = attempt.run
    gone = set().union(*removed) if removed else set()
    ids = [question.id for question in questions if question.id not in gone]
    run.fresh_models = fresh.before_and_after(set(ids))
    run.stop_reason = stop_reason
    table, stays = table_of(questions), np.array([row.id not in gone for row in questions])
    file = store.put_bytes("".join(f"{id}\n" for id in ids).encode())
    attempt.finish(
        fresh_models=run.fresh_models,
        stop_reason=stop_reason,
        repeats={"all": asdict(table.count()), "kept": asdict(table.count(stays))},
        done=len(gone),
        output={
            "kept": file,
            "n_kept": len(ids),
            "about": provenance.about(run, kept=file, n_kept=len(ids)),
            "warnings": provenance.warnings(run),
        },
    )


def phases_done(run: FilterRun) -> list[Phase]:
    return cast(list[Phase], attempts.steps_done(run.steps.select_related("arrays")))


def removed_ids(phase: Phase, questions: list[TwinItem]) -> Collection[Hashable]:
    rows, _, _, removed = store.load_array(phase.arrays)
    return tuple(questions[row].id for row in rows[removed == 1])


def _histogram(run: FilterRun, phase: PhaseFound, questions: list[TwinItem]) -> list[int]:
    """Count the scores in twenty bins: of the rows, or of the groups that are removed together."""
    if run.removal != FilterRun.Removal.TOGETHER:
        return cast(list[int], phase.histogram()[0].tolist())
    units = np.unique([questions[row].group for row in phase.rows], return_inverse=True)[1]
    pooled = Votes(phase.correct, phase.held_out).pooled(units, int(units.max(initial=-1)) + 1)
    scores = pooled.scores[pooled.held_out > 0]
    return cast(list[int], np.histogram(scores, bins=20, range=(0.0, 1.0))[0].tolist())


def _recorded(
    run: FilterRun, phase: PhaseFound, questions: list[TwinItem], *, seconds: float
) -> Phase:
    removed = np.isin(phase.rows, phase.removed)
    arrays = np.stack([phase.rows, phase.correct, phase.held_out, removed])  # (4, n_before)
    return Phase(
        run=run,
        number=phase.number,
        seconds=seconds,
        n_before=phase.n_before,
        n_removed=phase.n_removed,
        never_held_out=phase.never_held_out,
        eligible=phase.eligible,
        tied_at_cutoff=phase.tied_at_cutoff,
        unconverged=phase.unconverged,
        fallbacks=phase.fallbacks,
        accuracy=None if np.isnan(phase.accuracy) else phase.accuracy,
        looks=[[look.n_left, look.accuracy, look.error] for look in phase.looks],
        stop_reason=phase.stop_reason or "",
        histogram=_histogram(run, phase, questions),
        counts_twins=run.removal == FilterRun.Removal.TOGETHER,
        arrays=store.put_array(arrays.astype(np.int32)),
    )


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
