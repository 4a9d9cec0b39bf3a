"""Executes tunings, epoch by epoch."""

import time
from functools import partial
from typing import cast

from corpora import drawing
from corpora.selectors import load_questions
from filtering.loading import EncoderRequest
from filtering.models import Tuning, TuningEpoch
from modeling.encoders import Encoder
from modeling.finetuning import Checkpoint, FineTuneSettings, fine_tune, kept_epoch
from training import runner as checkpoints
from training.core.tuning import Chosen, choices, choose, sizes
from winoplatform.artifacts import store
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt


def tuning(attempt: Attempt[Tuning]) -> None:
    run = attempt.run
    chosen = _chosen(run)
    done = len(_epochs_done(run))
    attempt.report(done, total=run.epochs, activity="loading the encoder")
    start = time.monotonic()
    for epoch in fine_tune(
        _encoder(attempt),
        choices(chosen.train),
        choices(chosen.validation),
        FineTuneSettings(run.epochs, run.batch_size, run.learning_rate, run.seed),
        state=checkpoints.state_of(_epochs_done(run)[-1]) if done else None,
        progress=checkpoints.pulse(attempt),
    ):
        _record(attempt, _recorded(run, epoch, seconds=time.monotonic() - start))
        start = time.monotonic()
    _finish(attempt, chosen)


def _chosen(run: Tuning) -> Chosen:
    questions = load_questions(run.snapshot)
    n_train, n_validation = sizes(
        len(questions), n_train=run.n_train, n_validation=run.n_validation
    )
    # Stored splits: a later attempt must choose the same questions, even if new ones were added.
    splits = drawing.drawn_of(run.snapshot.campaign, questions)
    shown = [question for question in questions if splits[question.group] == "train"]
    return choose(shown, n_train=n_train, n_validation=n_validation, seed=run.seed)


def _encoder(attempt: Attempt[Tuning]) -> Encoder:
    """Load the encoder and record its identity; a later attempt uses the same or fails."""
    encoder = EncoderRequest.by_tuning(attempt.run).load()
    attempt.note(
        base_sha256=encoder.weights_sha256,
        config_sha256=encoder.config_sha256,
        pooling_used=encoder.pooling,
    )
    return encoder


def _record(attempt: Attempt[Tuning], step: TuningEpoch) -> None:
    run = attempt.run
    checkpoints.record(
        attempt,
        step,
        done=step.number,
        activity=f"epoch {step.number} of {run.epochs} is done",
        kept=partial(_best, run),
    )


def _finish(attempt: Attempt[Tuning], chosen: Chosen) -> None:
    """Keep the weights of the epoch with the best accuracy; the first one of equals."""
    best = _best(attempt.run)
    used = sorted(question.id for question in chosen.train + chosen.validation)
    ids = store.put_bytes("".join(f"{id}\n" for id in used).encode())
    checkpoints.finish(attempt, best, used=ids, n_used=len(used), accuracy=best.accuracy)


def _best(run: Tuning) -> TuningEpoch:
    done = _epochs_done(run)
    return done[kept_epoch([epoch.accuracy for epoch in done]) - 1]


def _epochs_done(run: Tuning) -> list[TuningEpoch]:
    return cast(list[TuningEpoch], attempts.steps_done(run.steps.all()))


def _recorded(run: Tuning, epoch: Checkpoint, *, seconds: float) -> TuningEpoch:
    assert epoch.dev_accuracy is not None  # each checkpoint is an epoch's end
    return TuningEpoch(
        run=run,
        number=epoch.number,
        seconds=seconds,
        loss=epoch.loss,
        accuracy=epoch.dev_accuracy,
        state=checkpoints.put(epoch.state),
    )
