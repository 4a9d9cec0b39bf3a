"""Executes grids: brings their cells and evaluations to their end, and names the best."""

import time
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from evaluation.methods.fine_tuned import FINE_TUNED
from evaluation.models import Evaluation, FineTuning, Grid, GridTarget
from evaluation.selectors import GridCell, grid_cells, why_to_stop
from training.core.presets import PRESETS, choose
from training.core.transfer import TUNED_ON
from winoplatform.errors import DomainError
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt, Cancelled
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus
from winoplatform.runs.sharing import LOOK_AGAIN_SECONDS
from winoplatform.runs.start import start

SETTINGS = ("learning_rate", "epochs", "batch_size")


def grid(attempt: Attempt[Grid]) -> None:
    """Execute what no other worker executes, until all has ended; then choose."""
    run = attempt.run
    try:
        stopped = _end_cells(attempt)
        chosen = _choices(run, grid_cells(run))
        if run.kind == Grid.Kinds.GRID:
            _evaluate(run, chosen)
        _end_evaluations(attempt)
    except Cancelled:
        _cancel(run.cells.open())
        _cancel(_evaluations(run).open())
        raise
    cells = grid_cells(run)  # with the evaluations
    result = {
        "rule": PRESETS[run.preset].rule,
        "settings": {setting: _with_ids(choice) for setting, choice in chosen.items()},
        "tuned_on": _tuned_on(cells) if run.kind == Grid.Kinds.TRANSFER else {},
        "stopped": stopped,
        "n_cells": len(cells),
        "n_without_result": sum(row.cell.status != RunStatus.DONE for row in cells),
    }
    if result["n_without_result"] == len(cells):
        raise ValueError(stopped or "No cell has a result; see their failures.")
    best = chosen[next(iter(chosen))]["cells"][0] if len(chosen) == 1 else None
    attempt.finish(best=best, result=result, done=run.total or 0)


def _end_cells(attempt: Attempt[Grid]) -> str:
    """Bring the cells to their end; return why they were stopped, if they were."""
    run = attempt.run
    while open_cells := list(run.cells.open().order_by("pk")):
        if why_to_stop(run):
            _cancel(open_cells)
        _report(attempt, "training")
        _execute_one(open_cells)
    return why_to_stop(run) if run.cells.filter(status=RunStatus.CANCELLED).exists() else ""


def _end_evaluations(attempt: Attempt[Grid]) -> None:
    while waiting := list(_evaluations(attempt.run).open().order_by("pk")):
        _report(attempt, "scoring")
        _execute_one(waiting)


def _execute_one(runs: Sequence[Run]) -> None:
    """Execute the first run that no worker executes; if there is none, wait a moment."""
    for run in runs:
        before = run.attempt
        execute_here(run)
        run.refresh_from_db()
        if run.attempt != before or run.has_ended:
            return
    time.sleep(LOOK_AGAIN_SECONDS)


def _report(attempt: Attempt[Grid], activity: str) -> None:
    """Store progress; raises if the grid must stop."""
    run = attempt.run
    runs = [*run.cells.all(), *_evaluations(run)]
    done = sum(each_run.has_ended for each_run in runs)
    text = f"{activity}: {done} of {len(runs)} cells and evaluations have ended"
    # The cells record what they have done, so the attempt has not stalled.
    attempt.note(done=done, total=len(runs), activity=text, stalled_attempts=0)


def _cancel(runs: Iterable[Run]) -> None:
    for run in runs:
        try:
            attempts.request_cancel(run)
        except DomainError:  # it has ended meanwhile
            continue


def _evaluations(run: Grid) -> Any:
    return Evaluation.objects.filter(fine_tuning__grid=run)


def _choices(run: Grid, rows: Sequence[GridCell]) -> dict[str, dict[str, Any]]:
    """Return what the preset's rule chose in each setting, by its name; the best cell first.

    Without figures on dev all cells of a setting that are done are taken.
    """
    by_setting: dict[str, list[GridCell]] = defaultdict(list)
    for row in rows:
        if row.cell.status == RunStatus.DONE:
            by_setting[row.cell.setting].append(row)
    choices = {}
    for setting, group in by_setting.items():
        figures = [row.cell.dev_accuracy for row in group]
        if all(figure is None for figure in figures):
            choices[setting] = {"cells": [row.cell for row in group]}
            continue
        choice = choose(figures, [_setting(row.cell) for row in group], rule=_rule(run))
        cells = sorted(choice.rows, key=lambda row: row != choice.best)
        facts = {name: getattr(choice, name) for name in ("value", "sd", "n_cells", "n_settings")}
        choices[setting] = {"cells": [group[row].cell for row in cells], **facts}
    return choices


def _rule(run: Grid) -> Any:
    return PRESETS[run.preset].rule


def _setting(cell: FineTuning) -> Hashable:
    return tuple(getattr(cell, name) for name in SETTINGS)


def _with_ids(choice: dict[str, Any]) -> dict[str, Any]:
    return choice | {"cells": [str(cell.public_id) for cell in choice["cells"]]}


def _tuned_on(rows: Sequence[GridCell]) -> dict[str, dict[str, Any]]:
    """Return by setting and target the cell chosen on the target's own dev set (arXiv v1, §6)."""
    by_target: dict[str, dict[str, Any]] = {}
    for setting in dict.fromkeys(row.cell.setting for row in rows):
        group = [row for row in rows if row.cell.setting == setting]
        for target, dev in TUNED_ON.items():
            figures = [_figure(row, dev) for row in group]
            if not any(target in row.tests for row in group) or all(f is None for f in figures):
                continue
            choice = choose(figures, [_setting(row.cell) for row in group], rule="best")
            cell = group[choice.best].cell
            facts = asdict(choice) | {"dev": dev, "cell": str(cell.public_id)}
            by_target.setdefault(setting, {})[target] = facts
    return by_target


def _figure(row: GridCell, target: str) -> float | None:
    test = row.tests.get(target)
    if test is None or test.metrics is None:
        return None
    value: float | None = test.metrics["accuracy"]["value"]
    return value


def _evaluate(run: Grid, chosen: dict[str, dict[str, Any]]) -> None:
    """Start the evaluations of the chosen cells on the targets, unless they are there."""
    for choice in chosen.values():
        for cell in choice["cells"]:
            for target in run.targets.all():
                _evaluate_on(cell, target)


def _evaluate_on(cell: FineTuning, target: GridTarget) -> None:
    arguments = {
        "fine_tuning": cell,
        "method": FINE_TUNED,
        "model": cell.model,
        "release": target.release,
        "reference_set": target.reference_set,
        "split": target.split,
        "transformation": cell.transformation,
    }
    if not Evaluation.objects.filter(**arguments).exists():
        start(Evaluation(**arguments, created_by=cell.created_by))
