"""When a validator can have begun to read a question.

The next question is fetched while one is validated, so a seat's age is no measure of reading:
reading begins when the seat was taken or the validator's vote before it was given, whichever is
later. The same over arrays: ``core.votes.first_seconds``.
"""

from django.db.models import Case, Expression, F, When
from django.db.models.functions import Greatest


def begun(claimed_at: str, before: Expression) -> Case:
    """That moment, by the path of when the seat was taken; null where this was not noted."""
    return Case(When(**{f"{claimed_at}__isnull": False}, then=Greatest(F(claimed_at), before)))
