"""Requests for grids: several fine-tunings with one parent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from corpora.core.bundle.layout import SIZES, TRAINING
from corpora.models import ReferenceSet
from evaluation.methods.fine_tuned import FINE_TUNED
from evaluation.models import FineTuning, Grid, GridTarget
from evaluation.selectors import Cost, cost_of
from evaluation.services.evaluations import evaluate
from evaluation.services.fine_tunings import SplitOf, plan_fine_tuning, usual_dev
from training.core.presets import PRESETS, CellSettings, Preset
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User

MOST_CELLS = 500
FULL = "full"
ARTIFACTS = ("", "local_context", "no_candidates")


@dataclass(slots=True)
class Plan:
    """A grid that is not stored: its cells in the order of training, and its targets.

    ``targets`` has those of each setting; ``left_out`` the published targets that are not imported.
    """

    grid: Grid
    cells: list[FineTuning]
    targets: dict[str, list[SplitOf]]
    left_out: list[str]

    @property
    def cost(self) -> Cost:
        """What all cells take on one worker: items x epochs x measured seconds."""
        return cost_of(self.cells)


@transaction.atomic
def start_grid(plan: Plan, *, by: User | None) -> Grid:
    """Store a plan and queue its cells, which all free workers share, and their evaluations.

    The cells of a search for the best (kind ``grid``) are scored on dev only; the chosen ones are
    scored on the targets at the end.

    Raises
    ------
    DomainError, ValidationError
        As `fine_tune` and `evaluate`; when there are too many cells.
    """
    if len(plan.cells) > MOST_CELLS:
        raise DomainError(
            "too_many_cells", f"A grid has at most {MOST_CELLS} cells, not {len(plan.cells)}."
        )
    grid = plan.grid
    grid.created_by, grid.estimated_seconds = by, plan.cost.seconds
    grid.full_clean()
    grid.save()
    for split in _distinct(plan.targets):
        target = GridTarget(grid=grid, **_columns(split))
        target.full_clean()
        target.save()
    for cell in plan.cells:
        cell.grid, cell.created_by = grid, by
        cell.before = cell.before  # stored by now, so the row has its key
        start(cell)
        if grid.kind != Grid.Kinds.GRID:
            for split in plan.targets.get(cell.setting, []):
                arguments = _columns(split) | {"transformation": cell.transformation}
                evaluate(by=by, method=FINE_TUNED, fine_tuning=cell, **arguments)
    # Last, so that a single worker has trained the cells when it begins with the grid.
    start(grid)
    return grid


def _distinct(targets: Mapping[str, Sequence[SplitOf]]) -> list[SplitOf]:
    return list(dict.fromkeys(split for splits in targets.values() for split in splits))


def _columns(split: SplitOf) -> dict[str, Any]:
    return {name: getattr(split, name) for name in ("release", "reference_set", "split")}


def plan_grid(
    *,
    model: str,
    train: SplitOf,
    dev: SplitOf | None = None,
    targets: Sequence[SplitOf] = (),
    preset: str = "quick",
    before: FineTuning | None = None,
    limits: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Plan:
    """Return a search for the best cell of a preset.

    Parameters
    ----------
    dev
        As in `fine_tune`; it is needed, since a cell is chosen by it.
    targets
        What the chosen cells are scored on.
    limits
        ``most_seconds`` and ``patience`` of the grid.
    settings
        Further columns of all cells: ``form``, ``loss``, ``dtype``, ``transformation``, …
    """
    dev = dev or usual_dev(train)
    if dev is None:
        raise DomainError("dev_missing", "A grid needs a dev split, by which a cell is chosen.")
    rules = preset_named(preset)
    cells = [
        plan_fine_tuning(
            model=model, train=train, dev=dev, before=before, **cell_columns(rules, one), **settings
        )
        for one in rules.cells
    ]
    return Plan(new_grid(Grid.Kinds.GRID, rules, model, limits), cells, {"": list(targets)}, [])


def plan_curve(
    *,
    model: str,
    train: SplitOf,
    sizes: Sequence[str | int] = (),
    dev: SplitOf | None = None,
    targets: Sequence[SplitOf] = (),
    preset: str = "quick",
    limits: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Plan:
    """Return a learning curve: a preset's cells for each size.

    *sizes* are ``xs`` … ``xl`` for the published training sets, or numbers of questions drawn at
    random from *train*; empty for all published ones that the set has.
    """
    dev = dev or usual_dev(train)
    if dev is None:
        raise DomainError("dev_missing", "A learning curve needs a dev split to be measured on.")
    known, cells = preset_named(preset), []
    for size in sizes or _published_sizes(train):
        of_size, drawn, name = _sized(train, size)
        for one in known.cells:
            fields = cell_columns(known, one) | settings | {"size": drawn, "setting": name}
            cells.append(plan_fine_tuning(model=model, train=of_size, dev=dev, **fields))
    of_each = {cell.setting: list(targets) for cell in cells}
    return Plan(new_grid(Grid.Kinds.CURVE, known, model, limits), cells, of_each, [])


def plan_artifacts(
    *,
    model: str,
    train: SplitOf,
    dev: SplitOf | None = None,
    targets: Sequence[SplitOf] = (),
    preset: str = "square_one",
    limits: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Plan:
    """Return the same training on whole sentences, on local contexts and without candidates.

    Each model is chosen and scored on texts of the kind that it was trained on. A model that is
    right on more than chance without the part that should determine the answer uses artifacts.
    Source: Back to Square One, §5 and Table 1.
    """
    dev = dev or usual_dev(train)
    known, cells = preset_named(preset), []
    for transformation in ARTIFACTS:
        for cell_settings in known.cells:
            columns = cell_columns(known, cell_settings, has_dev=dev is not None) | settings
            columns |= {"transformation": transformation, "setting": transformation or FULL}
            cells.append(plan_fine_tuning(model=model, train=train, dev=dev, **columns))
    scored = list(targets) or ([dev] if dev else [])
    of_each = {cell.setting: scored for cell in cells}
    return Plan(new_grid(Grid.Kinds.ARTIFACTS, known, model, limits), cells, of_each, [])


def preset_named(name: str) -> Preset:
    """Return a preset; refuse an unknown name."""
    if name not in PRESETS:
        raise DomainError("preset_unknown", f"The preset is one of: {', '.join(PRESETS)}.")
    return PRESETS[name]


def cell_columns(preset: Preset, one: CellSettings, *, has_dev: bool = True) -> dict[str, Any]:
    """Return the columns of a cell of a preset."""
    return {
        "learning_rate": one.learning_rate,
        "epochs": one.epochs,
        "batch_size": one.batch_size,
        "seed": one.seed,
        "keep": preset.keep if has_dev else FineTuning.KeepRule.FINAL,
    }


def new_grid(kind: str, preset: Preset, model: str, limits: Mapping[str, Any] | None) -> Grid:
    return Grid(kind=kind, preset=preset.name, model=model.strip(), **(limits or {}))


def _published_sizes(train: SplitOf) -> list[str]:
    """Return the names of the published sizes that a set has."""
    sizes = SIZES if train.release is not None else _sizes_of(train.reference_set)
    if not sizes:
        raise DomainError(
            "sizes_missing",
            "The set has no splits train_xs to train_xl; name numbers of questions as sizes.",
        )
    return list(sizes)


def _sizes_of(reference_set: ReferenceSet | None) -> tuple[str, ...]:
    names = set(reference_set.splits.values_list("name", flat=True)) if reference_set else set()
    return tuple(size for size, split in zip(SIZES, TRAINING, strict=True) if split in names)


def _sized(train: SplitOf, size: str | int) -> tuple[SplitOf, int | None, str]:
    """Return the split, the number drawn and the name of a size."""
    text = str(size).strip()
    if text in SIZES:
        return replace(train, split=f"train_{text}"), None, text
    if not text.isascii() or not text.isdigit() or int(text) < 2 or len(text) > 9:
        names = ", ".join(SIZES)
        raise DomainError("size_unknown", f"A size is one of {names}, or a number of questions.")
    return train, int(text), f"n{int(text)}"
