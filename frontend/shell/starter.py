"""The progress of the starter campaign, for the home and sign-in pages."""

from evaluation.models import StarterLoad
from frontend.runs.reads import RunRow, run_row
from winoplatform import clock
from winoplatform.runs.models import RunStatus


def starter_row() -> RunRow | None:
    """Return the load of the starter campaign, or None if it was never started."""
    load = StarterLoad.objects.first()
    return run_row(load, clock.now()) if load is not None else None


def unloaded_row() -> RunRow | None:
    """Return the same as ``starter_row``, but None once it is loaded, as it usually is."""
    load = StarterLoad.objects.first()
    if load is None or load.status == RunStatus.DONE:
        return None
    return run_row(load, clock.now())
