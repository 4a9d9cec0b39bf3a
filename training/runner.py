"""Checkpoints of a training: recorded with their states, continued from, and let go."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import transaction

from modeling.finetuning import weights_of
from training.models import TrainingStep
from winoplatform.artifacts import store, upkeep
from winoplatform.models import Artifact
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.pace import Pace

if TYPE_CHECKING:
    import torch


def pulse(attempt: Attempt[Any], *, of_epoch: int = 1) -> Callable[[int, int], None]:
    """Return what training calls after each update: it stores the place and the rate.

    *of_epoch* is by how much an epoch raises the run's ``done``.
    """
    pace = Pace()

    def progress(done: int, of: int) -> None:
        epoch = attempt.run.done // of_epoch + 1
        attempt.pulse(f"epoch {epoch}, update {done} of {of}{pace.said(done)}")

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
