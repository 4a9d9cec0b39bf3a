"""How long evaluations and trials took here, to estimate how long others will take."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery, Sum

from evaluation.models import Evaluation, EvaluationBlock, Scoring, Trial
from winoplatform.runs.models import RunStatus

TimedSystem = tuple[str, str, str, str]  # model, method, variant and dtype


@dataclass(frozen=True, slots=True)
class Timing:
    """The seconds that a system needed: once to begin, and for each question on one worker."""

    begin: float
    per_question: float

    def seconds(self, n: int) -> float:
        return self.begin + n * self.per_question


def timings_of(models: Collection[str]) -> dict[TimedSystem, Timing]:
    """Return the timing of each system: of its newest finished evaluation here, else of a trial.

    The seconds are those of one worker; several workers share an evaluation, so it ends sooner than
    estimated. Questions of other lengths take another time.
    """
    return _of_trials(models) | _of_evaluations(models)


def trials_of(models: Collection[str]) -> dict[TimedSystem, Trial]:
    """Return the newest trial of each system that has not been cancelled."""
    rows = _newest(Trial.objects.exclude(status=RunStatus.CANCELLED), models)
    return {_system(trial): trial for trial in rows}


def _of_trials(models: Collection[str]) -> dict[TimedSystem, Timing]:
    rows = _newest(Trial.objects.filter(status=RunStatus.DONE), models)
    return {_system(one): Timing(one.begin_seconds, one.seconds_per_question) for one in rows}


def _of_evaluations(models: Collection[str]) -> dict[TimedSystem, Timing]:
    blocks = EvaluationBlock.objects.filter(run=OuterRef("pk")).order_by().values("run")
    seconds = Subquery(blocks.annotate(sum=Sum("seconds")).values("sum"))
    done = Evaluation.objects.filter(status=RunStatus.DONE, done__gt=0)
    return {
        _system(run): Timing(
            # The time of a resumed run includes the time in which no worker executed it.
            begin=max(0.0, run.run_seconds - run.seconds) if run.attempt == 1 else 0.0,
            per_question=run.seconds / run.done,
        )
        for run in _newest(done.annotate(seconds=seconds), models)
        if run.seconds is not None
    }


def _newest(rows: Any, models: Collection[str]) -> Any:
    """Return the newest row of each system without a model, or with one of these."""
    system = ("model", "method", "variant", "dtype")
    return rows.filter(model__in=["", *models]).order_by(*system, "-pk").distinct(*system)


def _system(run: Scoring) -> TimedSystem:
    return run.model, run.method, run.variant, run.dtype
