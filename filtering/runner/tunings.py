"""Carries tunings, epoch by epoch."""

import tempfile
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from filtering import selectors
from filtering.core.encoders import Encoder, Pooling, load_encoder
from filtering.core.tuning import Chosen, Epoch, TuneSettings, choose, sizes, tune, under
from filtering.models import Tuning, TuningEpoch
from winoplatform.artifacts import store
from winoplatform.models import Artifact
from winoplatform.runs import frame
from winoplatform.runs.frame import Carrier
from winoplatform.runs.models import RunStatus

if TYPE_CHECKING:
    import torch


def tuning(carrier: Carrier[Tuning]) -> None:
    run = carrier.run
    chosen = _chosen(run)
    done = len(_epochs_done(run))
    carrier.report(done, total=run.epochs, activity="loading the encoder")
    start = time.monotonic()
    for epoch in tune(
        _encoder(carrier),
        chosen,
        TuneSettings(run.epochs, run.batch_size, run.learning_rate, run.seed),
        done=done,
        state=_state(_epochs_done(run)[-1].state) if done else None,
        progress=partial(_pulse, carrier),
    ):
        step = _recorded(run, epoch, seconds=time.monotonic() - start)
        done, start = epoch.number, time.monotonic()
        carrier.record(step, done=done, activity=f"epoch {done} of {run.epochs} is done")
    _finish(carrier, chosen)


def _pulse(carrier: Carrier[Tuning], batch: int, of: int) -> None:
    carrier.pulse(f"epoch {carrier.run.done + 1}, batch {batch} of {of}")


def _chosen(run: Tuning) -> Chosen:
    questions = selectors.load_questions(run.snapshot)
    n_train, n_validation = sizes(
        len(questions), n_train=run.n_train, n_validation=run.n_validation
    )
    return choose(questions, n_train=n_train, n_validation=n_validation, seed=run.seed)


def _encoder(carrier: Carrier[Tuning]) -> Encoder:
    """Load the encoder and write down which it is; a later attempt gets the same or none."""
    run = carrier.run
    encoder = load_encoder(
        run.encoder,
        cast(Pooling | None, run.pooling_used or run.pooling or None),
        expected_sha256=run.base_sha256 or None,
    )
    mine = Tuning.objects.filter(pk=run.pk, status=RunStatus.RUNNING, attempt=carrier.attempt)
    if not mine.update(base_sha256=encoder.weights_sha256, pooling_used=encoder.pooling):
        raise frame.LeaseLost
    return encoder


def _finish(carrier: Carrier[Tuning], chosen: Chosen) -> None:
    """Keep the weights of the epoch that validates best, of equals the first."""
    best = max(_epochs_done(carrier.run), key=lambda epoch: (epoch.accuracy, -epoch.number))
    used = sorted(question.id for question in chosen.train + chosen.validation)
    carrier.finish(
        used=store.put_bytes("".join(f"{id}\n" for id in used).encode()),
        n_used=len(used),
        weights=_put(under(_state(best.state), "encoder")),
        accuracy=best.accuracy,
    )


def _epochs_done(run: Tuning) -> list[TuningEpoch]:
    return cast(list[TuningEpoch], frame.steps_done(run.steps.select_related("state")))


def _recorded(run: Tuning, epoch: Epoch, *, seconds: float) -> TuningEpoch:
    return TuningEpoch(
        run=run,
        number=epoch.number,
        seconds=seconds,
        loss=epoch.loss,
        accuracy=epoch.accuracy,
        state=_put(epoch.state),
    )


def _put(tensors: "Mapping[str, torch.Tensor]") -> Artifact:
    from safetensors.torch import save_file  # with it comes torch, which only a worker has use for

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tensors")
        save_file(dict(tensors), path)
        with path.open("rb") as file:
            return store.put_file(file)


def _state(artifact: Artifact) -> "dict[str, torch.Tensor]":
    from safetensors.torch import load_file

    return load_file(store.local_path(artifact.sha256))
