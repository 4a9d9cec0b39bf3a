"""The time at which a validator can have begun to read a question.

The next question is prefetched while one is validated, so a seat's age does not measure the reading
time: reading begins when the seat was claimed or when the validator's previous vote was cast,
whichever is later. The same for arrays: ``core.votes.first_seconds``.
"""

from django.db.models import Case, Expression, F, When
from django.db.models.functions import Greatest


def begun(claimed_at: str, before: Expression) -> Case:
    """Return that time; *claimed_at* is a path. Null if the claim's time was not recorded."""
    return Case(When(**{f"{claimed_at}__isnull": False}, then=Greatest(F(claimed_at), before)))
