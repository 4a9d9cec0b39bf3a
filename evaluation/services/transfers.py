"""Plans of grids: of any kind, in one way for the API, the command and the pages; and transfers.

A transfer is as published: where the sets of a setting are here, and what is trained.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from evaluation.models import FineTuning, Grid
from evaluation.services.fine_tunings import SplitOf, plan_fine_tuning, usual_dev
from evaluation.services.grids import (
    Plan,
    cell_columns,
    new_grid,
    plan_artifacts,
    plan_curve,
    plan_grid,
    preset_named,
    start_grid,
)
from evaluation.services.systems import set_named
from training.core.presets import CellSettings, Preset
from training.core.transfer import RESOURCE, Part, Setting, with_those_before
from winoplatform.errors import Conflict, DomainError
from workers.models import User


def plan_transfer(
    *,
    model: str,
    settings: Sequence[str],
    resource: SplitOf,
    dev: SplitOf | None = None,
    preset: str = "quick",
    like: FineTuning | None = None,
    by: User | None = None,
    limits: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Plan:
    """Return transfers as published: named settings of `training.core.transfer`.

    Parameters
    ----------
    settings
        Those that they start from are added.
    resource, dev
        The training set in place of WinoGrande's, and its dev split.
    like
        A fine-tuning whose learning rate, epochs and batch size are used with the preset's seeds:
        the best cell of a grid.

    Raises
    ------
    DomainError
        When a setting is unknown, a set to train on is not imported or has another size than the
        published one, or the preset tries several settings and there is no dev to choose by.
    """
    grid_preset = preset_named(preset)
    try:
        wanted = with_those_before(tuple(settings))
    except ValueError as error:
        raise DomainError("setting_unknown", f"{error}.") from error
    if not wanted:
        raise DomainError("setting_missing", "Name at least one setting.")
    tried = _tried(grid_preset, like)
    places = _Places(resource, dev or usual_dev(resource), by)
    cells: dict[tuple[str, CellSettings], FineTuning] = {}
    for setting in wanted:
        _refuse_unchoosable(setting, settings, tried)
        train, of_dev = places.to_train(setting), places.to_choose(setting)
        for tried_setting in tried:
            cells[setting.name, tried_setting] = plan_fine_tuning(
                model=model,
                train=train,
                dev=of_dev,
                before=cells.get((setting.before, tried_setting)),
                setting=setting.name,
                **cell_columns(grid_preset, tried_setting, has_dev=of_dev is not None),
                **columns,
            )
    targets = {wanted_setting.name: places.to_score(wanted_setting) for wanted_setting in wanted}
    grid = new_grid(Grid.Kinds.TRANSFER, grid_preset, model, limits)
    return Plan(grid, list(cells.values()), targets, sorted(places.left_out))


class _Places:
    """Where the parts of published settings are here."""

    def __init__(self, resource: SplitOf, dev: SplitOf | None, by: User | None) -> None:
        self.resource, self.dev, self.by = resource, dev, by
        self.left_out: set[str] = set()

    def to_train(self, setting: Setting) -> SplitOf:
        split = self._find(setting.train)
        if split is None:
            raise Conflict(
                "set_missing",
                f"The setting “{setting.name}” trains on {setting.train}, which is not imported; "
                "the page on reference sets of the documentation has the command.",
            )
        if setting.train.size is not None:
            _refuse_size(split, setting.train)
        return split

    def to_choose(self, setting: Setting) -> SplitOf | None:
        if setting.dev is None:
            return None
        split = self._find(setting.dev)
        if split is None:
            said = f"The setting “{setting.name}” chooses on {setting.dev}, which is not here"
            raise Conflict("dev_missing", f"{said}; name a dev split.")
        return split

    def to_score(self, setting: Setting) -> list[SplitOf]:
        splits = {target: self._find(target) for target in setting.targets}
        self.left_out |= {str(target) for target, split in splits.items() if split is None}
        return [split for split in splits.values() if split is not None]

    def _find(self, part: Part) -> SplitOf | None:
        if part.set == RESOURCE:
            return self._of_resource(part.split)
        reference_set = set_named(part.set, by=self.by)
        if reference_set is None:
            return None
        names = part.split.split("+")
        n_found = reference_set.splits.filter(name__in=names).count()
        return SplitOf(part.split, reference_set=reference_set) if n_found == len(names) else None

    def _of_resource(self, split: str) -> SplitOf | None:
        if split == "dev":
            return self.dev
        if split == "train":
            return self.resource
        of_dev = self.dev
        same = of_dev is not None and (of_dev.release, of_dev.reference_set) == (
            self.resource.release, self.resource.reference_set
        )  # fmt: skip
        # Dev of another set cannot be trained on in the same run.
        if of_dev is None or not same:
            return self.resource
        return replace(self.resource, split=f"{self.resource.split}+{of_dev.split}")


def _refuse_size(split: SplitOf, part: Part) -> None:
    assert split.reference_set is not None
    rows = split.reference_set.splits.filter(name__in=part.split.split("+"))
    n = sum(rows.values_list("n_labelled", flat=True))
    if n != part.size:
        raise Conflict(
            "size_differs",
            f"{part} has {n:,} labelled questions here and {part.size:,} as published; import the "
            "published files under this name.",
        )


def _tried(preset: Preset, like: FineTuning | None) -> list[CellSettings]:
    if like is None:
        return preset.cells
    of_best = (like.learning_rate, like.epochs, like.batch_size)
    return [CellSettings(*of_best, seed) for seed in range(preset.n_seeds)]


def _refuse_unchoosable(
    setting: Setting, settings: Sequence[str], tried: Sequence[CellSettings]
) -> None:
    several = len({tried_setting.without_seed for tried_setting in tried}) > 1
    if several and setting.dev is None and setting.name in settings:
        raise DomainError(
            "dev_missing",
            f"The setting “{setting.name}” trains on dev as well, so nothing is left to choose "
            "settings by. Run the grid on the training set first, and name its best cell (like).",
        )


LIMITS = ("most_seconds", "patience")


def plan(
    *,
    kind: str,
    model: str,
    train: SplitOf,
    by: User | None,
    dev: SplitOf | None = None,
    preset: str = "",
    targets: Sequence[SplitOf] = (),
    sizes: Sequence[str | int] = (),
    settings: Sequence[str] = (),
    before: FineTuning | None = None,
    like: FineTuning | None = None,
    **columns: Any,
) -> Plan:
    """Return a grid that is not stored, with its cost.

    Parameters
    ----------
    kind
        One of `Grid.Kinds`.
    preset
        Empty for the usual one of the kind.
    sizes, settings, before, like, targets
        Of a learning curve, a transfer, a search and all but a transfer, as in their plans.
    columns
        ``most_seconds`` and ``patience`` of the grid, and columns of all cells.

    Raises
    ------
    DomainError
        When the kind is unknown, or as the plan of the kind.
    """
    limits = {name: columns.pop(name, None) for name in LIMITS}
    shared = {"model": model, "dev": dev, "limits": limits, **columns}
    shared |= {"preset": preset} if preset else {}
    if kind == Grid.Kinds.GRID:
        return plan_grid(train=train, targets=targets, before=before, **shared)
    if kind == Grid.Kinds.CURVE:
        return plan_curve(train=train, targets=targets, sizes=sizes, **shared)
    if kind == Grid.Kinds.ARTIFACTS:
        return plan_artifacts(train=train, targets=targets, **shared)
    if kind == Grid.Kinds.TRANSFER:
        return plan_transfer(resource=train, settings=settings, like=like, by=by, **shared)
    raise DomainError("kind_unknown", f"The kind is one of: {', '.join(Grid.Kinds.values)}.")


@transaction.atomic
def start_planned(*, by: User | None, **asked: Any) -> Grid:
    """Plan a grid and start it; as `plan` and `start_grid`."""
    return start_grid(plan(by=by, **asked), by=by)
