"""Executes trials of fine-tunings: how long a question takes, measured on a few updates."""

import time

from corpora.core.items import Item
from evaluation import loading
from evaluation.methods.fine_tuned import questions
from evaluation.models import FineTuningTrial
from evaluation.selectors import training_items
from modeling.finetuning import FineTuneSettings, fine_tune
from winoplatform.runs.attempts import Attempt

UPDATES = 5  # the first one also does what is done once, and is not counted


def fine_tuning_trial(attempt: Attempt[FineTuningTrial]) -> None:
    """Train on a sample of the questions, with questions of all lengths in equal parts."""
    run = attempt.run
    begun = time.monotonic()
    attempt.report(0, activity="preparing")
    per_update = run.batch_size * run.accumulation
    train = sample(training_items(run), size=UPDATES * per_update)
    model = loading.load_to_train(run)
    ends: list[float] = []

    def progress(done: int, of: int) -> None:
        if done > len(ends):  # it is called again while dev is scored
            ends.append(time.monotonic())
            attempt.report(min(done * per_update, len(train)), total=len(train))

    settings = {name: getattr(run, name) for name in FineTuningTrial.SETTINGS}
    asked = questions(train, run.form, run.loss)
    one = questions(train[:1], run.form, run.loss)
    begin_seconds = time.monotonic() - begun
    for _checkpoint in fine_tune(
        model, asked, one, FineTuneSettings(**(settings | {"epochs": 1})), progress=progress
    ):
        pass
    attempt.finish(
        begin_seconds=begin_seconds,
        seconds_per_question=_per_question(begun + begin_seconds, ends, per_update, len(train)),
        done=len(train),
        total=len(train),
    )


def sample(items: list[Item], *, size: int) -> list[Item]:
    """Return the middles of equal parts of the items by length."""
    ordered = sorted(items, key=lambda item: (len(item.sentence), item.id))
    n = min(size, len(ordered))
    return [ordered[(2 * i + 1) * len(ordered) // (2 * n)] for i in range(n)]


def _per_question(start: float, ends: list[float], per_update: int, n: int) -> float:
    """Return the seconds of a question, without the first update unless it is the only one."""
    if len(ends) == 1:
        return (ends[0] - start) / n
    return (ends[-1] - ends[0]) / (n - per_update)
