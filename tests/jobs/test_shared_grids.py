"""Two real workers on the cells of one grid, one of which dies."""

import pytest

from evaluation import services
from evaluation.models import FineTuning, Grid
from evaluation.services import SplitOf
from tests.evaluation.training import planted_set
from tests.filtering.stages import TINY
from tests.jobs.worker import Worker, dispatch_until, held
from winoplatform.runs.models import RunStatus

pytestmark = pytest.mark.long
N_STEPS = 6  # 32 questions in batches of 16, three epochs


def at_work(grid: Grid) -> int:
    """Cells that are being trained and have a recorded step."""
    training = grid.cells.filter(status=RunStatus.RUNNING)
    return training.filter(steps__isnull=False).distinct().count()


def outcome(run: FineTuning) -> list[object]:
    steps = list(run.steps.values_list("number", "epoch", "batch", "loss", "dev_accuracy"))
    return [run.status, run.weights_id, run.dynamics_id, run.dev_metrics, steps]


def test_two_workers_share_a_grid_and_one_finishes_it_when_the_other_dies(
    worker: Worker, doomed: Worker
) -> None:
    train = SplitOf("train", reference_set=planted_set(train=16, dev=6))
    asked = {"by": None, "model": TINY, "train": train, "checkpoint_every": 1}
    settings = {"epochs": 3, "batch_size": 16, "learning_rate": 1e-5}
    unbroken = [services.fine_tune(seed=seed, **settings, **asked) for seed in range(3)]
    for run in unbroken:
        dispatch_until(lambda run=run: _has_ended(run), what="it has been trained alone")
    with held():
        grid = services.start_planned(kind="grid", preset="quick", **asked)
        dispatch_until(lambda: at_work(grid) == 2, what="both train")
        doomed.kill_all()
    for run in (*grid.cells.all(), grid):
        dispatch_until(lambda run=run: _has_ended(run), what="it has ended")
    cells = list(grid.cells.order_by("pk"))
    assert grid.status == RunStatus.DONE
    assert [outcome(cell) for cell in cells] == [outcome(run) for run in unbroken]
    assert [cell.steps.count() for cell in cells] == [N_STEPS] * 3
    assert sorted(cell.attempt for cell in cells) == [1, 1, 2]


def _has_ended(run: FineTuning | Grid) -> bool:
    run.refresh_from_db()
    return run.has_ended
