"""How long evaluations took here, to estimate how long others will take."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Q, Subquery, Sum

from evaluation.models import Evaluation, EvaluationBlock
from winoplatform.runs.models import RunStatus

TimedSystem = tuple[str, str, str, str]
SYSTEM = ("model", "method", "variant", "dtype")


@dataclass(frozen=True, slots=True)
class Timing:
    """The seconds that a system needed: once to begin, and for each question on one worker."""

    begin: float
    per_question: float

    def seconds(self, n: int) -> float:
        return self.begin + n * self.per_question


def timings_of(models: Collection[str]) -> dict[TimedSystem, Timing]:
    """Return the timing of each system by its newest finished evaluation here, else by a begun one.

    The seconds are those of one worker; several workers share an evaluation, so it ends sooner than
    estimated. Questions of other lengths take another time.
    """
    blocks = EvaluationBlock.objects.filter(run=OuterRef("pk")).order_by().values("run")
    seconds = Subquery(blocks.annotate(sum=Sum("seconds")).values("sum"))
    begun = Evaluation.objects.of_items().filter(done__gt=0, model__in=["", *models])
    rows = begun.annotate(seconds=seconds, is_done=Q(status=RunStatus.DONE))
    newest: Any = rows.exclude(seconds=None).order_by(*SYSTEM, "-is_done", "-pk").distinct(*SYSTEM)
    return {
        (run.model, run.method, run.variant, run.dtype): Timing(
            begin=_begin(run, run.seconds), per_question=run.seconds / run.done
        )
        for run in newest
    }


def _begin(run: Evaluation, seconds: float) -> float:
    """Return the seconds before the blocks of a run; 0 if they are not known.

    The time of a resumed run includes the time in which no worker executed it.
    """
    if run.status != RunStatus.DONE or run.attempt > 1:
        return 0.0
    return max(0.0, run.run_seconds - seconds)
