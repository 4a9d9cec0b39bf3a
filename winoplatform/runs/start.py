"""Start a run: validate it, store it, dispatch it. Every app starts its runs this way."""

from django.db import IntegrityError, transaction

from winoplatform.errors import DomainError
from winoplatform.runs.dispatch import dispatch
from winoplatform.runs.models import Run


@transaction.atomic
def start(run: Run) -> None:
    """Store a new run and dispatch it to a worker.

    Raises
    ------
    DomainError
        When a run that it needs has ended without a result.
    ValidationError
        When the row violates a constraint, also if an equal request was stored between the
        validation and the insert.
    """
    refuse_without_input(run)
    run.full_clean()
    try:
        with transaction.atomic():
            run.save()
    except IntegrityError:
        # The other request is stored now, so validation finds it and raises the message.
        run.full_clean()
        raise
    dispatch(run)


def refuse_without_input(run: Run) -> None:
    """Refuse a run that could never start: one that it needs has failed or was cancelled."""
    for source in run.needed:
        if source.ended_without_result:
            raise DomainError(
                "run_without_input",
                f"It depends on {source}, which {source.ending}. Resume that one first.",
                status=409,
            )
