"""How far the starter campaign is, for the first pages that one sees."""

from evaluation.models import StarterLoad
from frontend.runs.reads import RunRow, run_row
from winoplatform import clock
from winoplatform.runs.models import RunStatus


def starter_row() -> RunRow | None:
    """Return the load of the starter campaign; None where it was never asked for."""
    load = StarterLoad.objects.first()
    return run_row(load, clock.now()) if load is not None else None


def unloaded_row() -> RunRow | None:
    """As ``starter_row``, and None once it is loaded, as it nearly always is."""
    load = StarterLoad.objects.first()
    if load is None or load.status == RunStatus.DONE:
        return None
    return run_row(load, clock.now())
