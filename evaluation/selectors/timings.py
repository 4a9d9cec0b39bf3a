"""The times of earlier runs, from which the time of a new one is told."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Q, Subquery, Sum

from corpora.core.bundle.layout import DEV
from corpora.models import Release
from corpora.selectors import read_index, training_file
from evaluation.models import Evaluation, EvaluationBlock, FineTuning
from training.models import TRAIN
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


# What the seconds of a question depend on, besides its length and the machine.
TIMED = ("model", "loss", "batch_size", "dtype", "transformation")


@dataclass(frozen=True, slots=True)
class Cost:
    """What fine-tunings are expected to take on one worker.

    Parameters
    ----------
    n_train : int or None
        Questions of each, if it is the same for all and known.
    passes : int or None
        Items times epochs, over all; None while a set is not ready.
    seconds_per_question : float or None
        To train on one question once; None if nothing like it was trained here.
    seconds : float or None
        Their product, over all settings.
    """

    n_cells: int
    n_train: int | None
    passes: int | None
    seconds_per_question: float | None
    seconds: float | None


def cost_of(runs: Sequence[FineTuning]) -> Cost:
    """Return the cost of fine-tunings that need not be stored: items x epochs x seconds."""
    of_data: dict[tuple[object, ...], int | None] = {}
    for run in runs:
        data = tuple(getattr(run, name) for name in FineTuning.DATA)
        if data not in of_data:
            of_data[data] = n_to_train(run)
    sizes = [of_data[tuple(getattr(run, name) for name in FineTuning.DATA)] for run in runs]
    passes = [None if n is None else n * run.epochs for n, run in zip(sizes, runs, strict=True)]
    timings: dict[tuple[object, ...], float | None] = {}
    for run in runs:
        key = tuple(getattr(run, name) for name in TIMED)
        if key not in timings:
            timings[key] = seconds_per_question(run)
    each = [timings[tuple(getattr(run, name) for name in TIMED)] for run in runs]
    seconds = [
        None if n is None or per is None else n * per for n, per in zip(passes, each, strict=True)
    ]
    return Cost(
        n_cells=len(runs),
        n_train=sizes[0] if len(set(sizes)) == 1 else None,
        passes=None if None in passes else sum(n or 0 for n in passes),
        seconds_per_question=each[0] if each and len(set(each)) == 1 else None,
        seconds=None if None in seconds else sum(s or 0.0 for s in seconds),
    )


def seconds_per_question(run: FineTuning) -> float | None:
    """Return the seconds of training on one question, by the newest training like it here.

    It need not have ended: its recorded steps count. None if there is none.
    """
    same = {name: getattr(run, name) for name in TIMED}
    begun = FineTuning.objects.filter(done__gt=0, **same)
    earlier = begun.annotate(seconds=Sum("steps__seconds")).order_by("-pk").first()
    return None if earlier is None else earlier.seconds / earlier.done


def n_to_train(run: FineTuning) -> int | None:
    """Return how many questions *run* trains on, before its transformation; None if not known."""
    if run.size is not None:
        return run.size
    if run.reference_set is not None:
        rows = run.reference_set.splits.all()
        return sum(row.n_labelled for row in rows if row.name in run.train_splits)
    if run.release is None or run.release.status != RunStatus.DONE:
        return None
    return sum(_n_published(run.release, split) for split in run.train_splits)


def _n_published(release: Release, split: str) -> int:
    rows = read_index(release)
    name = training_file(rows) if split == TRAIN else split
    return sum(row["split"] in (TRAIN, DEV) and name in row["files"] for row in rows)
