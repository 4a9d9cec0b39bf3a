"""One way to ask for a grid of any kind: for the API, the command and the pages."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from evaluation.models import FineTuning, Grid
from evaluation.services.fine_tunings import SplitOf
from evaluation.services.grids import Plan, plan_artifacts, plan_curve, plan_grid, start_grid
from evaluation.services.transfers import plan_transfer
from winoplatform.errors import DomainError
from workers.models import User

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
