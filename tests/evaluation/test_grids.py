"""Grids: shared cells, the best by the preset's rule, stops, curves and transfers."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from corpora.models import ReferenceSet
from evaluation import services
from evaluation.models import Evaluation, FineTuning, Grid
from evaluation.runner import grids
from evaluation.selectors import (
    evaluations_visible_to,
    fine_tunings_visible_to,
    grid_cells,
    grids_visible_to,
)
from evaluation.selectors.curves import grid_curve
from evaluation.services import SplitOf
from tests.evaluation.training import planted_set
from tests.factories import UserFactory
from tests.filtering.stages import TINY, carried, killed_after, lease_ends
from training.core import transfer
from training.core.presets import PRESETS, Preset
from training.core.transfer import Part, Setting
from winoplatform.errors import DomainError
from winoplatform.runs import helping
from winoplatform.runs.attempts import claim, request_cancel
from winoplatform.runs.kinds import execute_here
from workers.models import User


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One thread, and presets that learn a planted cue in a second, or do not."""
    monkeypatch.setattr(helping.current_app, "send_task", lambda *_, **__: None)
    shared: dict[str, Any] = {"title": "", "source": "", "batch_sizes": (8,)}
    for name, more in (
        ("two", {"epochs": (2,), "learning_rates": (1e-9, 2e-3), "n_seeds": 2}),
        ("one", {"epochs": (1,), "n_seeds": 1}),
    ):
        monkeypatch.setitem(PRESETS, name, Preset(name=name, **shared, **more))  # type: ignore[arg-type]
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def data() -> ReferenceSet:
    return planted_set(train=12, dev=6, test=6)


def of(data: ReferenceSet, split: str = "train") -> SplitOf:
    return SplitOf(split, reference_set=data)


def started(data: ReferenceSet, **asked: Any) -> Grid:
    known: dict[str, Any] = {"kind": "grid", "model": TINY, "preset": "two", "train": of(data)}
    return services.start_planned(by=None, **(known | asked))


@pytest.mark.long
def test_two_workers_share_the_cells_and_a_killed_one_is_retried(
    data: ReferenceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = started(data, targets=[of(data, "test")])
    first, second, *rest = grid.cells.order_by("pk")
    carried(first)  # by another worker
    killed_after(second, 1)
    held = claim(FineTuning, second.pk)  # by a worker that dies without a step
    monkeypatch.setattr(grids.time, "sleep", lambda _: lease_ends(second))
    carried(grid)
    assert held is not None
    assert [cell.attempt for cell in grid.cells.order_by("pk")] == [1, 3, 1, 1]
    assert all(cell.steps.count() == 2 for cell in grid.cells.all())
    figures = [row.dev["accuracy"]["value"] for row in grid_cells(grid)]
    assert grid.best == (first, second, *rest)[figures.index(max(figures))]
    found = grid.result["settings"][""]
    assert (found["value"], found["n_cells"], found["n_settings"]) == (max(figures), 4, 2)
    assert (grid.result["stopped"], grid.result["n_without_result"]) == ("", 0)
    # Only the chosen cell is scored on the target.
    assert [run.fine_tuning for run in Evaluation.objects.all()] == [grid.best]
    tests = [row.tests for row in grid_cells(grid)]
    assert [list(one) for one in tests if one] == [["planted test"]]


@pytest.mark.long
def test_a_grid_stops_at_its_cost(data: ReferenceSet) -> None:
    grid = started(data, most_seconds=1000)
    first = carried(grid.cells.order_by("pk")[0])
    Grid.objects.filter(pk=grid.pk).update(most_seconds=0.001)
    carried(grid)
    states = [cell.status for cell in grid.cells.order_by("pk")]
    assert states == ["done"] + ["cancelled"] * 3
    assert "the limit is" in grid.result["stopped"]
    assert (grid.best, grid.result["n_without_result"]) == (first, 3)


@pytest.mark.long
def test_a_grid_stops_without_progress(data: ReferenceSet) -> None:
    grid = started(data, patience=1)
    carried(grid)
    done = grid.cells.filter(status="done").order_by("pk")
    figures = [cell.dev_accuracy for cell in done]
    assert len(figures) == 4 or figures[-1] <= max(figures[:-1])
    if len(figures) < 4:
        assert "were not better on dev" in grid.result["stopped"]


def test_a_cancelled_grid_trains_no_more_cells(data: ReferenceSet) -> None:
    grid = started(data)
    request_cancel(grid)
    cell = grid.cells.order_by("pk")[0]
    execute_here(cell)
    cell.refresh_from_db()
    assert (cell.status, cell.steps.count()) == ("cancelled", 0)


@pytest.mark.long
def test_a_curve_has_a_point_for_each_size_and_seed(data: ReferenceSet, dana: User) -> None:
    grid = started(data, kind="curve", preset="one", sizes=["8", 24], targets=[of(data, "test")])
    assert [cell.setting for cell in grid.cells.order_by("pk")] == ["n8", "n24"]
    assert not grid_curve(dana, grid).points
    carried(grid)
    for target in (None, grid.targets.get()):
        points = [named.point for named in grid_curve(dana, grid, target).points]
        assert [(point.size, point.seed) for point in points] == [(8, 0), (24, 0)]
        assert all(0 <= point.single <= 1 for point in points)
    assert set(grid.result["settings"]) == {"n8", "n24"}


def test_training_on_artifacts_is_beside_the_full_one(data: ReferenceSet) -> None:
    plan = services.plan(
        by=None, kind="artifacts", model=TINY, preset="one", train=of(data, "train"),
        targets=[of(data, "test")],
    )  # fmt: skip
    assert [(cell.setting, cell.transformation) for cell in plan.cells] == [
        ("full", ""),
        ("local_context", "local_context"),
        ("no_candidates", "no_candidates"),
    ]
    grid = services.start_grid(plan, by=None)
    asked = Evaluation.objects.filter(fine_tuning__grid=grid).order_by("pk")
    assert [run.transformation for run in asked] == ["", "local_context", "no_candidates"]


@pytest.mark.long
def test_a_transfer_goes_on_from_the_resource_and_is_scored_beside_it(
    data: ReferenceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = planted_set("other", train=8, test=6)
    target = Part("other", "test", 12)
    shared: dict[str, Any] = {"title": "", "targets": (target, Part("nowhere", "test"))}
    known = {
        "resource": Setting(name="resource", train=Part("winogrande", "train+dev"), **shared),
        "other-ft": Setting(
            name="other-ft", train=Part("other", "train", 16), before="resource", **shared
        ),
    }
    monkeypatch.setattr(transfer, "SETTINGS", known)
    plan = services.plan(
        by=None, kind="transfer", model=TINY, preset="one", train=of(data), settings=["other-ft"]
    )
    assert plan.left_out == ["nowhere test"]
    assert plan.cost.passes == 36 + 16
    grid = services.start_grid(plan, by=None)
    carried(grid)
    first, second = grid.cells.order_by("pk")
    assert (first.train_split, first.keep, second.before) == ("train+dev", "final", first)
    assert second.base_sha256 == first.weights_id
    assert [list(row.tests) for row in grid_cells(grid)] == [["other test"]] * 2
    assert other.finetunings.get() == second
    other_size = Setting(name="wrong-ft", train=Part("other", "train", 17), **shared)
    monkeypatch.setattr(transfer, "SETTINGS", {"wrong-ft": other_size})
    with pytest.raises(DomainError, match="has 16 labelled questions here and 17 as published"):
        started(data, kind="transfer", preset="one", settings=["wrong-ft"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"kind": "nothing"}, "The kind is one of"),
        ({"preset": "nothing"}, "The preset is one of"),
        ({"kind": "curve", "sizes": ["tiny"]}, "A size is one of"),
        ({"kind": "curve"}, "has no splits train_xs to train_xl"),
        ({"kind": "transfer", "settings": []}, "Name at least one setting"),
        ({"kind": "transfer", "settings": ["dpr-ft"]}, "which is not imported"),
        ({"kind": "transfer", "settings": ["winogrande"]}, "nothing is left to choose"),
    ],
)
def test_a_plan_is_refused_with_a_sentence(
    data: ReferenceSet, asked: dict[str, Any], said: str
) -> None:
    with pytest.raises(DomainError, match=said):
        started(data, **asked)
    assert not Grid.objects.exists()


def test_others_see_a_grid_only_if_they_may_read_all_its_answers(data: ReferenceSet) -> None:
    grid = started(data, targets=[of(data, "test")])
    bob, dana = UserFactory(), UserFactory(curator=True)
    assert list(grids_visible_to(dana)) == [grid]
    assert not grids_visible_to(bob).exists()
    assert not fine_tunings_visible_to(bob).exists()
    other = planted_set("elsewhere", test=2)
    asked: dict[str, Any] = {"method": "fine_tuned", "fine_tuning": grid.cells.first()}
    services.evaluate(by=None, reference_set=other, split="test", **asked)
    ReferenceSet.objects.filter(pk=other.pk).update(is_public=True)
    # Its name says what the model was trained on.
    assert not evaluations_visible_to(bob).exists()
    ReferenceSet.objects.update(is_public=True)
    assert list(grids_visible_to(bob)) == [grid]
    assert fine_tunings_visible_to(bob).count() == 4
    assert evaluations_visible_to(bob).count() == 1
