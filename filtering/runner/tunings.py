"""Executes tunings, epoch by epoch."""

import tempfile
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from django.db import transaction
from django.db.models import QuerySet

from corpora import drawing
from corpora.selectors import load_questions
from filtering.core.tuning import Chosen, choices, choose, sizes
from filtering.loading import EncoderRequest
from filtering.models import Tuning, TuningEpoch
from modeling.encoders import Encoder
from modeling.finetuning import Checkpoint, FineTuneSettings, fine_tune, weights_of
from winoplatform.artifacts import store, upkeep
from winoplatform.models import Artifact
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.pace import Pace

if TYPE_CHECKING:
    import torch


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
        state=_state(_epochs_done(run)[-1]) if done else None,
        progress=partial(_pulse, attempt, Pace()),
    ):
        _record(attempt, _recorded(run, epoch, seconds=time.monotonic() - start))
        start = time.monotonic()
    _finish(attempt, chosen)


def _pulse(attempt: Attempt[Tuning], pace: Pace, batch: int, of: int) -> None:
    attempt.pulse(f"epoch {attempt.run.done + 1}, batch {batch} of {of}{pace.said(batch)}")


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
    """Record an epoch, and delete the states that are no longer needed."""
    run = attempt.run
    with transaction.atomic():
        attempt.record(
            step, done=step.number, activity=f"epoch {step.number} of {run.epochs} is done"
        )
        needed = {step.number, _best(run).number}
        unneeded = _let_go(run.steps.exclude(number__in=needed))
    upkeep.drop(unneeded)


def _finish(attempt: Attempt[Tuning], chosen: Chosen) -> None:
    """Keep the weights of the epoch with the best accuracy; the first one of equals."""
    best = _best(attempt.run)
    used = sorted(question.id for question in chosen.train + chosen.validation)
    weights = _put(weights_of(_state(best)))
    ids = store.put_bytes("".join(f"{id}\n" for id in used).encode())
    with transaction.atomic():
        attempt.finish(used=ids, n_used=len(used), weights=weights, accuracy=best.accuracy)
        unneeded = _let_go(attempt.run.steps.all())
    upkeep.drop(unneeded)


def _let_go(epochs: "QuerySet[TuningEpoch]") -> list[str]:
    """Clear the states of some epochs; return the names of their files.

    Delete the files after the commit: a worker that dies in between leaves a file that is not
    needed and will be swept, and never an epoch without its file.
    """
    held = epochs.exclude(state=None)
    names = list(held.values_list("state_id", flat=True))
    held.update(state=None)
    return names


def _best(run: Tuning) -> TuningEpoch:
    return max(_epochs_done(run), key=lambda epoch: (epoch.accuracy, -epoch.number))


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
        state=_put(epoch.state),
    )


def _put(tensors: "Mapping[str, torch.Tensor]") -> Artifact:
    from safetensors.torch import save_file  # imports torch, which only workers need

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tensors")
        save_file(dict(tensors), path)
        with path.open("rb") as file:
            return store.put_file(file)


def _state(epoch: TuningEpoch) -> "dict[str, torch.Tensor]":
    from safetensors.torch import load_file

    assert epoch.state_id is not None  # the states of the last and the best epoch are kept
    return load_file(store.local_path(epoch.state_id))
