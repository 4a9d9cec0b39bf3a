"""What the tables of fine-tunings refuse, whatever the code above them does."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from evaluation.models import FineTuning, FineTuningStep, Grid, GridTarget
from tests.evaluation.grids import cell, new_grid
from tests.evaluation.training import planted_set
from tests.factories import FineTuningFactory, GridFactory, ReleaseFactory
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus

TABLES: tuple[type[models.Model], ...] = (FineTuning, FineTuningStep, Grid, GridTarget)


def changed(make: Callable[[], models.Model], **fields: Any) -> Callable[[], object]:
    """Change a row that is right."""

    def change() -> object:
        row = make()
        return type(row)._default_manager.filter(pk=row.pk).update(**fields)

    return change


def done(make: Callable[[], models.Model]) -> Callable[[], object]:
    return changed(make, status=RunStatus.DONE, started_at=timezone.now(), ended_at=timezone.now())


def a_step(**fields: Any) -> FineTuningStep:
    known = {"number": 1, "attempt": 1, "epoch": 1, "batch": 4, "is_epoch_end": False, "loss": 0.6}
    run = fields.pop("run", None) or FineTuningFactory()
    return FineTuningStep.objects.create(run=run, seconds=1.0, **(known | fields))


def two_steps_of_a_number() -> None:
    a_step(run=a_step().run)


def figures_within_an_epoch() -> None:
    a_step(dev_accuracy=0.5)


def probabilities_within_an_epoch() -> None:
    a_step(probabilities=store.put_bytes(b"probabilities"))


def the_same_fine_tuning_twice() -> None:
    data = planted_set()
    for _ in range(2):
        cell(None, data)


def the_same_cell_twice() -> None:
    grid, data = new_grid(), planted_set()
    for _ in range(2):
        cell(grid, data)


def a_target(**fields: Any) -> GridTarget:
    return GridTarget.objects.create(grid=GridFactory(), split="test", **fields)


def a_target_of_two_sets() -> None:
    a_target(release=ReleaseFactory(finished=True), reference_set=planted_set())


def the_same_target_twice() -> None:
    first = a_target(reference_set=planted_set())
    first.pk = None
    first.save()


OUT_OF_RANGE = [
    {"epochs": 0}, {"epochs": 101}, {"batch_size": 0}, {"batch_size": 1025}, {"learning_rate": 0},
    {"accumulation": 0}, {"warm_up": -0.1}, {"warm_up": 1.1}, {"weight_decay": -1},
    {"largest_gradient": 0},
]  # fmt: skip
REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("finetuning_is_of_one_set", changed(FineTuningFactory, release=None)),
    *(
        ("finetuning_release_is_not_learned_blind", changed(FineTuningFactory, train_split=split))
        for split in ("test", "train+test")
    ),
    *(
        ("finetuning_settings_are_in_range", changed(FineTuningFactory, **fields))
        for fields in OUT_OF_RANGE
    ),
    ("finetuning_done_has_its_results", done(FineTuningFactory)),
    (
        "finetuning_has_one_dev_set_or_none",
        changed(FineTuningFactory, dev_split="", keep="final"),
    ),
    ("finetuning_has_one_dev_set_or_none", changed(FineTuningFactory, dev_release=None)),
    ("finetuning_is_not_chosen_blind", changed(FineTuningFactory, dev_split="test")),
    (
        "finetuning_choice_needs_dev",
        changed(FineTuningFactory, dev_release=None, dev_split="", keep="best"),
    ),
    (
        "finetuning_choice_needs_dev",
        changed(FineTuningFactory, dev_release=None, dev_split="", keep="final", patience=1),
    ),
    ("finetuning_is_open_once", the_same_fine_tuning_twice),
    ("finetuning_is_open_once", the_same_cell_twice),
    ("finetuningstep_is_recorded_once", two_steps_of_a_number),
    ("finetuningstep_epoch_end_has_probabilities", figures_within_an_epoch),
    ("finetuningstep_epoch_end_has_probabilities", probabilities_within_an_epoch),
    ("grid_limits_are_positive", changed(GridFactory, most_seconds=0)),
    ("grid_limits_are_positive", changed(GridFactory, patience=0)),
    ("grid_done_has_its_results", done(GridFactory)),
    ("gridtarget_is_of_one_set", a_target),
    ("gridtarget_is_of_one_set", a_target_of_two_sets),
    ("gridtarget_is_listed_once", the_same_target_twice),
]


@pytest.mark.long
@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=f"evaluation_{constraint}"), transaction.atomic():
        break_it()


def test_every_constraint_of_these_tables_is_tried() -> None:
    """Those on columns with choices are tried in tests/filtering/test_constraints.py."""
    named = {constraint.name for table in TABLES for constraint in table._meta.constraints}
    tried = {f"evaluation_{constraint}" for constraint, _ in REFUSED}
    assert {name for name in named if not name.endswith("_is_known")} == tried
