"""Ask for a run: check it, store it, ring for it. Every app asks in this one way."""

from django.db import IntegrityError, transaction

from winoplatform.errors import DomainError
from winoplatform.runs.dispatch import dispatch
from winoplatform.runs.models import Run


@transaction.atomic
def start(run: Run) -> None:
    """Store a new run, which waits for a worker.

    Raises
    ------
    DomainError
        When a run that it needs has ended without a result.
    ValidationError
        When the row breaks a rule, with the rule's sentence; also where an equal request was
        quicker by so little that only the database saw it.
    """
    refuse_without_input(run)
    run.full_clean()
    try:
        with transaction.atomic():
            run.save()
    except IntegrityError:
        # The other request is stored by now, so the check finds it and has the sentence.
        run.full_clean()
        raise
    dispatch(run)


def refuse_without_input(run: Run) -> None:
    """Refuse a run that would never go on: one that it needs has failed or was cancelled."""
    for source in run.needed:
        if source.can_resume:
            raise DomainError(
                "run_without_input",
                f"It builds upon {source}, which {source.ending}. Resume that one first.",
                status=409,
            )
