"""Executes fine-tunings, from checkpoint to checkpoint."""

import io
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.core.metrics import accuracy, credits, group_score
from corpora.provenance import code_version, data_sha256
from evaluation.models import FineTuning, FineTuningStep
from evaluation.selectors import dev_items, loaded_by, training_items, why_to_stop
from modeling.finetuning import Checkpoint, FineTuneSettings, fine_tune, kept_epoch
from modeling.loaded import LoadedModel
from modeling.specs import ModelSpec, revision
from training import runner as checkpoints
from training.core.drawing import questions
from training.runner import load_to_train, load_trained
from winoplatform.artifacts import store
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt

IDENTITY = ("base_sha256", "config_sha256", "revision", "data_sha256", "code_version")


def fine_tuning(attempt: Attempt[FineTuning]) -> None:
    """Train, and record each checkpoint with the state from which a later attempt continues."""
    run = attempt.run
    _stop_if_unwanted(attempt)
    train, dev = training_items(run), dev_items(run)
    steps = _steps(run)
    attempt.report(_passed(run, steps, train), total=run.epochs * len(train), activity="preparing")
    model = _model(attempt, train, dev, is_first=not steps)
    start = time.monotonic()
    for checkpoint in fine_tune(
        model,
        questions(train, run.form, run.loss),
        # A training has a dev set. Without one, it gets one question, whose score is dropped.
        questions(dev or train[:1], run.form, run.loss),
        settings_of(run),
        state=checkpoints.state_of(steps[-1]) if steps else None,
        progress=checkpoints.pulse(attempt, of_epoch=len(train)),
    ):
        _record(attempt, _step(run, checkpoint, dev, since=start), train)
        if not (checkpoint.is_epoch_end and checkpoint.epoch == run.epochs):
            _stop_if_unwanted(attempt)
        start = time.monotonic()
    _finish(attempt, train)


def settings_of(run: FineTuning) -> FineTuneSettings:
    names = (*FineTuning.SETTINGS, *FineTuning.STOPS)
    return FineTuneSettings(**{name: getattr(run, name) for name in names})


def _stop_if_unwanted(attempt: Attempt[FineTuning]) -> None:
    """Cancel a cell whose grid needs no more cells."""
    if attempt.run.grid is not None and why_to_stop(attempt.run.grid):
        attempts.request_cancel(attempt.run)
        attempt.report(attempt.run.done)  # raises that it is cancelled


def _model(
    attempt: Attempt[FineTuning], train: Sequence[Item], dev: Sequence[Item], *, is_first: bool
) -> LoadedModel:
    """Load the model; record its identity and that of the data, or refuse what differs."""
    if is_first:  # no step binds this attempt to what an earlier one has loaded
        attempt.note(**dict.fromkeys(IDENTITY, ""))
    unanswered = [replace(item, answer=None) for item in (*train, *dev)]
    attempt.note_same(data_sha256=data_sha256(unanswered), code_version=code_version())
    attempt.pulse("loading the model")
    model = _loaded(attempt.run)
    attempt.note_same(
        base_sha256=model.weights_sha256,
        config_sha256=model.config_sha256,
        revision=revision(ModelSpec.parse(attempt.run.model)),
    )
    return model


def _loaded(run: FineTuning) -> LoadedModel:
    """Return the model that a fine-tuning starts from, with a new head or one trained before."""
    if run.before is not None:
        return load_trained(**loaded_by(run.before))
    names = ("model", "loss", "seed", "base_sha256", "config_sha256")
    return load_to_train(**{name: getattr(run, name) for name in names})


def _step(
    run: FineTuning, checkpoint: Checkpoint, dev: Sequence[Item], *, since: float
) -> FineTuningStep:
    seen = checkpoint.train_probabilities
    return FineTuningStep(
        run=run,
        number=checkpoint.number,
        epoch=checkpoint.epoch,
        batch=checkpoint.batch,
        is_epoch_end=checkpoint.is_epoch_end,
        loss=checkpoint.loss,
        probabilities=None if seen is None else store.put_array(seen),
        state=checkpoints.put(checkpoint.state),
        **(_figures(checkpoint, dev) if checkpoint.dev_scores is not None and dev else {}),
        seconds=time.monotonic() - since,
    )


def _figures(step: Checkpoint, dev: Sequence[Item]) -> dict[str, Any]:
    """Return the figures of the dev set, and whether all answers have the same position."""
    assert step.dev_scores is not None
    scores = [row[: len(item.options)] for row, item in zip(step.dev_scores, dev, strict=True)]
    groups = [item.group for item in dev]
    credit = credits(scores, np.array([item.answer for item in dev], dtype=np.int64))
    return {
        "dev_accuracy": step.dev_accuracy,
        "dev_metrics": {
            "accuracy": asdict(accuracy(credit, groups)),
            "group_score": asdict(group_score(credit, groups)),
        },
        "is_collapsed": len({int(row.argmax()) for row in scores}) == 1,
    }


def _record(attempt: Attempt[FineTuning], step: FineTuningStep, train: Sequence[Item]) -> None:
    run = attempt.run
    checkpoints.record(
        attempt,
        step,
        done=_passed(run, [step], train),
        activity=f"epoch {step.epoch} of {run.epochs}",
        kept=partial(_kept_epoch, run),
    )


def _passed(run: FineTuning, steps: Sequence[FineTuningStep], train: Sequence[Item]) -> int:
    """Return how many questions were trained on, each once per epoch."""
    if not steps:
        return 0
    of_epoch = steps[-1].batch * run.batch_size * run.accumulation
    return (steps[-1].epoch - 1) * len(train) + min(of_epoch, len(train))


def _finish(attempt: Attempt[FineTuning], train: Sequence[Item]) -> None:
    epoch = _kept_epoch(attempt.run)
    assert epoch is not None  # training ends with the end of an epoch
    checkpoints.finish(
        attempt,
        epoch,
        "probabilities",
        dynamics=store.put_bytes(_dynamics(_epoch_ends(attempt.run), train)),
        n_train=len(train),
        training_loss=epoch.loss,
        dev_metrics=epoch.dev_metrics,
        is_collapsed=epoch.is_collapsed,
    )


def _dynamics(epochs: Sequence[FineTuningStep], train: Sequence[Item]) -> bytes:
    """Return ids and, by epoch, the probability of each answer and whether it is above one half."""
    rows = []
    for epoch in epochs:
        assert epoch.probabilities is not None
        rows.append(cast(NDArray[np.float32], store.load_array(epoch.probabilities)))
    probability = np.stack(rows)  # (epochs, n_train)
    file = io.BytesIO()
    ids = np.array([item.id for item in train])
    np.savez(file, ids=ids, probability=probability, right=probability > 0.5)
    return file.getvalue()


def _kept_epoch(run: FineTuning) -> FineTuningStep | None:
    """Return the end of the epoch whose weights are kept; None before the first one has ended."""
    ends = _epoch_ends(run)
    if not ends:
        return None
    return ends[kept_epoch([end.dev_accuracy or 0.0 for end in ends], run.keep) - 1]


def _epoch_ends(run: FineTuning) -> list[FineTuningStep]:
    return list(run.steps.filter(is_epoch_end=True).order_by("number"))


def _steps(run: FineTuning) -> list[FineTuningStep]:
    return cast(list[FineTuningStep], attempts.steps_done(run.steps.all()))
