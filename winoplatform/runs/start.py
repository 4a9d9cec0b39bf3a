"""Ask for a run: check it, store it, ring for it. Every room asks in this one way."""

from django.db import IntegrityError, transaction

from winoplatform.runs.models import Run
from winoplatform.runs.ring import ring


@transaction.atomic
def start(run: Run) -> None:
    """Store a new run, which waits for a worker.

    Raises
    ------
    ValidationError
        When the row breaks a rule, with the rule's sentence; also where an equal request was
        quicker by so little that only the database saw it.
    """
    run.full_clean()
    try:
        with transaction.atomic():
            run.save()
    except IntegrityError:
        # The other request is stored by now, so the check finds it and has the sentence.
        run.full_clean()
        raise
    ring(run)
