"""How far the starter campaign is, for the first pages that one sees."""

from evaluation.models import StarterLoad
from frontend.selectors.runs import RunRow, run_row


def starter_row() -> RunRow | None:
    """Return the load of the starter campaign; None where it was never asked for."""
    load = StarterLoad.objects.first()
    return run_row(load) if load is not None else None
