"""Loads models to be trained, and keeps the checkpoints of a training."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import transaction

from corpora.loading import permitted
from modeling.finetuning import weights_of
from modeling.loaded import Dtype, LoadedModel, Use
from modeling.loading import load_model
from training.models import TrainingStep
from winoplatform.artifacts import store, upkeep
from winoplatform.models import Artifact
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.pace import Pace

if TYPE_CHECKING:
    import torch


def load_to_train(
    *, model: str, loss: str, seed: int, base_sha256: str, config_sha256: str
) -> LoadedModel:
    """Load a model with a new head, drawn by *seed*; hashes are those recorded, or empty.

    Raises
    ------
    ModelUnavailable
        When it cannot be loaded, or differs from the recorded one.
    """
    return load_model(
        permitted(model),
        use_of(loss),
        expected_sha256=base_sha256 or None,
        expected_config_sha256=config_sha256 or None,
        head_seed=seed,
    )


def load_trained(
    *,
    model: str,
    loss: str,
    weights: str,
    base_sha256: str,
    config_sha256: str,
    dtype: Dtype = "float32",
) -> LoadedModel:
    """Load the trained *weights* into the encoder that was fine-tuned; raises likewise."""
    encoder = load_model(
        permitted(model),
        use_of(loss),
        expected_sha256=base_sha256,
        expected_config_sha256=config_sha256,
        dtype=dtype,
        head_seed=0,  # replaced by the trained one
    )
    return encoder.with_weights(store.local_path(weights), sha256=weights)


def use_of(loss: str) -> Use:
    """Return what a model is loaded for to be trained with a loss."""
    return "masked" if loss == "mc_mlm" else "choice"


def pulse(attempt: Attempt[Any], *, of_epoch: int = 1) -> Callable[[int, int], None]:
    """Return what training calls after each update: it stores the place and the rate.

    *of_epoch* is by how much an epoch raises the run's ``done``.
    """
    pace = Pace()

    def progress(done: int, of: int) -> None:
        epoch = attempt.run.done // of_epoch + 1
        attempt.pulse(f"epoch {epoch}, update {done} of {of}{pace.rate_text(done)}")

    return progress


def record(
    attempt: Attempt[Any],
    step: TrainingStep,
    *,
    done: int,
    activity: str,
    kept: Callable[[], TrainingStep | None],
) -> None:
    """Record a checkpoint, and delete the states that are no longer needed.

    *kept* returns the step whose weights would be kept now.
    """
    with transaction.atomic():
        attempt.record(step, done=done, activity=activity)
        best = kept()
        needed = {step.number} | ({best.number} if best is not None else set())
        unneeded = let_go(attempt.run.steps.exclude(number__in=needed), "state")
    upkeep.drop(unneeded)


def finish(attempt: Attempt[Any], kept: TrainingStep, *also: str, **results: Any) -> None:
    """End a training with the weights of a step; let go of the states and of *also*."""
    weights = put(weights_of(state_of(kept)))
    with transaction.atomic():
        attempt.finish(weights=weights, **results)
        steps = attempt.run.steps.all()
        unneeded = [name for field in ("state", *also) for name in let_go(steps, field)]
    upkeep.drop(unneeded)


def let_go(steps: Any, field: str) -> list[str]:
    """Clear an artifact of some steps; return the names of the files.

    Delete the files after the commit: a worker that dies in between leaves a file that is not
    needed and will be swept, and never a step without its file.
    """
    held = steps.exclude(**{field: None})
    names = list(held.values_list(f"{field}_id", flat=True))
    held.update(**{field: None})
    return names


def put(tensors: "Mapping[str, torch.Tensor]") -> Artifact:
    """Store tensors as safetensors."""
    from safetensors.torch import save_file  # imports torch, which only workers need

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tensors")
        save_file(dict(tensors), path)
        with path.open("rb") as file:
            return store.put_file(file)


def state_of(step: TrainingStep) -> "dict[str, torch.Tensor]":
    """Return the tensors from which training continues after a step."""
    from safetensors.torch import load_file

    assert step.state_id is not None  # the states of the newest and the best step are kept
    return load_file(store.local_path(step.state_id))
