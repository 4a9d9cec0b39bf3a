"""Services to repeat a filter run with changed settings or other seeds."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from filtering.models import AFLITE_SETTINGS, CONTROL_SETTINGS, FilterRun
from filtering.selectors.comparisons import siblings
from filtering.services.filter_runs import start_filter_run
from winoplatform.errors import DomainError
from workers.models import User

SEEDS_AT_ONCE = 20


@transaction.atomic
def clone_filter_run(*, run: FilterRun, by: User | None, **changes: Any) -> FilterRun:
    """Start another run with the settings of *run*, except *changes* (fields of ``FilterRun``)."""
    names = ("encoding", *AFLITE_SETTINGS, *CONTROL_SETTINGS)
    settings = {name: getattr(run, name) for name in names}
    return start_filter_run(by=by, **settings | changes)


@transaction.atomic
def start_seeds(*, run: FilterRun, seeds: Sequence[int], by: User | None) -> list[FilterRun]:
    """Start *run* again with other seeds: all of them, or none."""
    wanted = sorted(set(seeds))
    if not 1 <= len(wanted) <= SEEDS_AT_ONCE:
        raise DomainError("seeds_number", f"Name from 1 to {SEEDS_AT_ONCE} seeds at a time.")
    taken = siblings(run).exclude(status__in=FilterRun.RESUMABLE).filter(seed__in=wanted)
    if known := sorted(set(taken.values_list("seed", flat=True))):
        raise DomainError(
            "seed_taken",
            f"There is already a run with these settings and seed {known[0]}, which gives the same "
            "result. Choose other seeds.",
            status=409,
            details={"seeds": known},
        )
    return [clone_filter_run(run=run, by=by, seed=seed) for seed in wanted]
