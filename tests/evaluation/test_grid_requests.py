"""Grids by `manage.py run`, and the same requests over the API."""

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from corpora.models import ReferenceSet
from evaluation.models import FineTuning, Grid
from evaluation.selectors import grid_cells
from evaluation.selectors.curves import grid_curve
from tests.api.calls import API, Client, client_of, ok
from tests.evaluation.grids import cell, curve, finish, ids_of, scored
from tests.evaluation.training import planted_set
from tests.factories import ReleaseFactory, UserFactory
from tests.filtering.stages import TINY, carried
from training.core.presets import PRESETS, Preset
from winoplatform.runs import helping


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helping.current_app, "send_task", lambda *_, **__: None)
    one = Preset(name="quick", title="", source="", epochs=(1,), batch_sizes=(8,), n_seeds=1)
    monkeypatch.setitem(PRESETS, "quick", one)  # type: ignore[arg-type]


@pytest.fixture
def data() -> ReferenceSet:
    return planted_set(train=8, dev=4, test=4)


@pytest.fixture
def as_dana() -> Client:
    return client_of(UserFactory(curator=True))


def run_grid(*options: str, split: str = "train") -> None:
    data = f"reference_set=planted,split={split}"
    call_command("run", "grid", "--kind", "grid", "--model", TINY, "--train", data, *options)


@pytest.mark.long
def test_the_command_trains_and_prints_every_cell(
    data: ReferenceSet, capsys: pytest.CaptureFixture[str]
) -> None:
    run_grid("--targets", "reference_set=planted,split=test")
    said = capsys.readouterr().out
    assert "planted test" in said
    assert "best of 1 cells, 1 settings" in said
    assert said.endswith(f"grid {Grid.objects.get().public_id}\n")


@pytest.mark.parametrize(
    ("options", "split", "said"),
    [
        (["--targets", "split=test"], "train", "Name one release or reference set."),
        (["--targets", "reference_set=planted"], "train", "--split: This field is required."),
        (["--like", "nothing"], "train", "--like: Must be a valid UUID."),
        (["--patience", "0"], "train", "--patience: Ensure this value is greater than"),
        ([], "none", "has no split “none”"),
    ],
)
def test_the_command_refuses_with_a_sentence(
    data: ReferenceSet, options: list[str], split: str, said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        run_grid(*options, split=split)


def asked(**more: Any) -> dict[str, Any]:
    return {"model": TINY, "train": {"reference_set": "planted", "split": "train"}} | more


@pytest.mark.long
def test_a_grid_is_started_with_its_cost_over_the_api(data: ReferenceSet, as_dana: Client) -> None:
    request = asked(kind="grid", targets=[{"reference_set": "planted", "split": "test"}])
    cost = ok(as_dana.post(f"{API}grids/cost/", request))
    assert (cost["n_cells"], cost["n_train"], cost["passes"], cost["seconds"]) == (1, 16, 16, None)
    earlier = finish(cell(None, data, batch_size=8), 0.6, ids_of(data))  # a step of 2 seconds
    FineTuning.objects.filter(pk=earlier.pk).update(done=4)
    cost = ok(as_dana.post(f"{API}grids/cost/", request))
    assert cost["seconds"] == 8
    assert not Grid.objects.exists()
    made = ok(as_dana.post(f"{API}grids/", request), 201)
    assert (made["kind"], made["estimated_seconds"]) == ("grid", 8)
    carried(Grid.objects.get())
    [trained] = ok(as_dana.get(f"{API}grids/{made['id']}/cells/"))
    assert trained["fine_tuning"]["dev_metrics"]["accuracy"]["n"] == 8
    assert trained["tests"]["planted test"]["accuracy"]["n"] == 8
    shown = ok(as_dana.get(f"{API}grids/{made['id']}/"))
    assert shown["best"] == trained["fine_tuning"]["id"]


def test_a_fine_tuning_and_an_evaluation_are_started_over_the_api(
    data: ReferenceSet, as_dana: Client
) -> None:
    model = ok(as_dana.post(f"{API}fine-tunings/", asked(seed=3)), 201)
    assert (model["train_split"], model["dev_split"], model["seed"]) == ("train", "dev", 3)
    request = {"reference_set": "planted", "split": "test", "method": "fine_tuned"}
    evaluation = ok(
        as_dana.post(
            f"{API}evaluations/",
            request | {"fine_tuning": model["id"]},
            content_type="application/json",
        ),
        201,
    )
    assert (evaluation["fine_tuning"], evaluation["model"]) == (model["id"], TINY)
    refused = as_dana.post(f"{API}evaluations/", request)
    assert refused.status_code == 400
    assert FineTuning.objects.count() == 1


def test_a_request_that_names_two_sets_or_none_is_refused(
    data: ReferenceSet, as_dana: Client
) -> None:
    for train in ({"split": "train"}, {"reference_set": "nothing", "split": "train"}):
        answer = as_dana.post(f"{API}grids/", asked(kind="grid", train=train))
        assert answer.status_code == 400


def test_only_the_evaluations_of_a_target_count_for_it() -> None:
    """A release of the same name has a blind test, whose scores tell labels."""
    data = planted_set()
    grid = curve({160: [0.6, 0.6]}, data)
    first, second = grid.cells.order_by("pk")
    blind = ReleaseFactory(finished=True, name=data.name)
    scored(first, None, 0.91, release=blind)
    scored(second, data, 0.92, transformation="local_context")
    runs = [row.tests["planted test"] for row in grid_cells(grid)]
    shown = [(run.metrics or {})["accuracy"]["value"] for run in runs]
    assert shown == [pytest.approx(0.58)] * 2
    drawn = grid_curve(UserFactory(curator=True), grid, grid.targets.get()).points
    assert {named.point.single for named in drawn} == set(shown)
