"""Finished fine-tunings with figures of our choice, without any training."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils import timezone

from corpora.models import ReferenceSet
from corpora.selectors import load_items
from evaluation.models import Evaluation, FineTuning, FineTuningStep, Grid, GridTarget
from tests.evaluation.training import planted_set
from tests.filtering.stages import TINY
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus

N_TEST = 400


def share(value: float, n: int = N_TEST) -> dict[str, Any]:
    """A stored estimate."""
    return {"value": value, "low": max(0, value - 0.05), "high": min(1, value + 0.05), "n": n}


def metrics(single: float) -> dict[str, Any]:
    return {"accuracy": share(single), "group_score": share(max(0, 2 * single - 1), N_TEST // 2)}


def new_grid(kind: str = "curve", **fields: Any) -> Grid:
    """A grid that is under way."""
    running = {"status": RunStatus.RUNNING, "started_at": timezone.now(), "attempt": 1}
    return Grid.objects.create(kind=kind, model=TINY, **({"preset": "quick"} | running | fields))


def cell(grid: Grid | None, data: ReferenceSet | None, **fields: Any) -> FineTuning:
    """A fine-tuning of *grid* that waits."""
    of_data = {"reference_set": data, "dev_reference_set": data, "train_split": "train"}
    known = {"grid": grid, "model": TINY, "dev_split": "dev", **of_data}
    return FineTuning.objects.create(**(known | fields))


def dynamics(ids: Sequence[str], wrong: Sequence[str] = (), epochs: int = 3) -> bytes:
    """Training dynamics in which the labels of *wrong* stay improbable."""
    rng = np.random.default_rng(0)
    mean = np.where(np.isin(ids, wrong), 0.1, 0.8)
    probability = (mean + rng.uniform(-0.05, 0.05, (epochs, len(ids)))).astype(np.float32)
    file = io.BytesIO()
    np.savez(file, ids=np.array(ids), probability=probability, right=probability > 0.5)
    return file.getvalue()


def finish(run: FineTuning, single: float, ids: Sequence[str], **fields: Any) -> FineTuning:
    """Give a cell its results: an accuracy on dev, and dynamics."""
    wrong = fields.pop("wrong", ())
    known = {
        "status": RunStatus.DONE,
        "started_at": timezone.now(),
        "ended_at": timezone.now(),
        "weights": store.put_bytes(b"weights"),
        "dynamics": store.put_bytes(dynamics(ids, wrong)),
        "n_train": len(ids),
        "training_loss": 0.5,
        "dev_metrics": metrics(single),
    }
    FineTuning.objects.filter(pk=run.pk).update(**(known | fields))
    FineTuningStep.objects.create(
        run=run, number=1, attempt=1, epoch=1, batch=4, is_epoch_end=True, loss=0.6, seconds=2.0,
        dev_metrics=metrics(single), probabilities=store.put_bytes(b"probabilities"),
    )  # fmt: skip
    run.refresh_from_db()
    return run


def scored(run: FineTuning, data: ReferenceSet | None, single: float, **fields: Any) -> Evaluation:
    """A finished evaluation of a fine-tuned model on the test split."""
    known = {
        "method": "fine_tuned", "fine_tuning": run, "model": run.model, "reference_set": data,
        "split": "test", "status": RunStatus.DONE, "started_at": timezone.now(),
        "ended_at": timezone.now(), "metrics": metrics(single),
        "predictions": store.put_bytes(b""), "data_sha256": "d" * 64,
    }  # fmt: skip
    return Evaluation.objects.create(**(known | fields))


def ids_of(data: ReferenceSet, split: str = "train") -> list[str]:
    return [item.id for item in load_items(data.splits.get(name=split))]


def curve(
    accuracies: Mapping[int, Sequence[float]], data: ReferenceSet | None = None, **fields: Any
) -> Grid:
    """A learning curve with an accuracy for each size and seed, tested on the same set."""
    data = data or planted_set()
    grid = new_grid("curve", **fields)
    GridTarget.objects.create(grid=grid, reference_set=data, split="test")
    ids = ids_of(data)
    for size, of_size in accuracies.items():
        for seed, single in enumerate(of_size):
            run = cell(grid, data, seed=seed, setting=f"n{size}")
            finish(run, single, ids, n_train=size)
            scored(run, data, single - 0.02)
    return grid
