"""Queries for fine-tuned models, grids and learning curves."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Sum
from numpy.typing import NDArray

from evaluation.models import Evaluation, FineTuning, FineTuningStep, Grid
from training.core.presets import without_progress
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus

Metrics = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a grid with its figures.

    ``dev`` are the figures on dev of the weights kept, ``tests`` the finished evaluations of the
    cell by target (``set split``). ``seconds`` is the time of its recorded steps on one worker.
    """

    cell: FineTuning
    dev: Metrics
    tests: Mapping[str, Evaluation]
    seconds: float

    @property
    def settings(self) -> dict[str, Any]:
        """What may differ between cells, as stored."""
        names = (*FineTuning.SETTINGS, "keep", "patience")
        return {name: getattr(self.cell, name) for name in names}


def grid_cells(grid: Grid) -> list[GridCell]:
    """Return the cells of a grid, also those that have not ended, in the order they were made."""
    cells = list(grid.cells.select_related("release", "reference_set", "before").order_by("pk"))
    tests: dict[int, dict[str, Evaluation]] = {cell.pk: {} for cell in cells}
    # Other evaluations of these models are not the grid's: who sees it may not see those. By keys,
    # as a release and a reference set can have the same name.
    targets = {
        (split.release_id, split.reference_set_id, split.split): str(split)
        for split in grid.targets.select_related("release", "reference_set")
    }
    transformations = {cell.pk: cell.transformation for cell in cells}
    done = Evaluation.objects.filter(fine_tuning__grid=grid, status=RunStatus.DONE).order_by("pk")
    for evaluation in done:
        pk = evaluation.fine_tuning_id or 0
        scored = (evaluation.release_id, evaluation.reference_set_id, evaluation.split)
        target = targets.get(scored)
        if target is not None and evaluation.transformation == transformations.get(pk):
            tests[pk][target] = evaluation  # the newest counts
    seconds = seconds_of(grid)
    return [
        GridCell(cell, cell.dev_metrics or {}, tests[cell.pk], seconds.get(cell.pk, 0.0))
        for cell in cells
    ]


def seconds_of(grid: Grid) -> dict[int, float]:
    """Return the seconds of the recorded steps of each cell, by its primary key."""
    rows = FineTuningStep.objects.filter(run__grid=grid).order_by().values("run")
    return {row["run"]: row["sum"] for row in rows.annotate(sum=Sum("seconds"))}


@dataclass(frozen=True, slots=True)
class Dynamics:
    """What training recorded of each question trained on.

    Parameters
    ----------
    ids : list of str, length n
    probabilities : float32 (epochs, n)
        Of the right option, in the training pass of each epoch.
    right : bool (epochs, n)
        Whether that probability was above one half: of two options, whether it was chosen.
    """

    ids: list[str]
    probabilities: NDArray[np.float32]
    right: NDArray[np.bool_]


def training_dynamics(run: FineTuning) -> Dynamics:
    """Return what the training of a finished fine-tuning recorded of each question."""
    assert run.dynamics is not None
    with store.open_artifact(run.dynamics) as file:
        arrays = np.load(io.BytesIO(file.read()), allow_pickle=False)
        return Dynamics(arrays["ids"].tolist(), arrays["probability"], arrays["right"])


def why_to_stop(grid: Grid) -> str:
    """Return why no more cells of a grid should be trained, as a sentence; empty if they should."""
    grid.refresh_from_db(fields=["status", "cancel_requested"])
    if grid.cancel_requested or grid.status in Grid.RESUMABLE:
        return "The grid was cancelled or has failed."
    spent = sum(seconds_of(grid).values())
    if grid.most_seconds is not None and spent >= grid.most_seconds:
        return f"The cells have taken {spent:,.0f} s; the limit is {grid.most_seconds:,.0f} s."
    if grid.patience is not None:
        done = grid.cells.filter(status=RunStatus.DONE).order_by("ended_at", "pk")
        figures = [cell.dev_accuracy for cell in done]
        measured = [figure for figure in figures if figure is not None]
        if without_progress(measured, patience=grid.patience):
            return f"The last {grid.patience} cells were not better on dev than those before."
    return ""


def loaded_by(run: FineTuning) -> dict[str, Any]:
    """Return what the model of a finished fine-tuning is loaded by; see `training.runner`."""
    assert run.weights_id is not None
    return {
        "model": run.model,
        "loss": run.loss,
        "weights": run.weights_id,
        "base_sha256": run.chain[0].base_sha256,
        "config_sha256": run.config_sha256,
    }
