"""Votes and verdicts as they were when a snapshot was requested.

The row of a vote or verdict has its present state. Whatever changes one adds an event with the
state before, so the first event after a time has the state at that time.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from validation.models import VerdictEvent

Row = Mapping[str, Any]


def states_before(
    questions: Collection[str], *, at: datetime
) -> tuple[dict[str, Row | None], dict[str, Row]]:
    """Return the states at a time of what has changed since, in one query.

    Returns
    -------
    verdicts : dict of str to verdict
        By public id of the question; None where there was no verdict.
    votes : dict of str to vote
        By public id of the vote.
    """
    verdicts: dict[str, Row | None] = {}
    votes: dict[str, Row] = {}
    events = VerdictEvent.objects.filter(question__public_id__in=questions, created_at__gt=at)
    rows = events.order_by("pk").values_list("question__public_id", "action", "before")
    for question, action, before in rows:
        if action not in VerdictEvent.ABOUT_VOTES:
            verdicts.setdefault(question, before)
        elif before is not None:
            votes.setdefault(before["vote"], before)
    return verdicts, votes
