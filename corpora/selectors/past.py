"""Votes and verdicts as they were when a snapshot was requested.

The row of a vote or verdict has its present state. Whatever changes one adds an event with the
state before, so the first event after a time has the state at that time.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import connection

from corpora.models import Snapshot
from validation.models import VerdictEvent

Row = Mapping[str, Any]

# Tables that a statement may read: ``decided`` has the questions with a verdict, ``given`` the
# votes that were no answers to gold questions.
_PAST = """
WITH event AS (
    SELECT e.id, e.question_id, e.before, e.action = ANY(%(about_votes)s) AS is_about_vote
    FROM validation_verdictevent e
    JOIN collection_question q ON q.id = e.question_id
    JOIN collection_twin t ON t.id = q.twin_id
    WHERE t.campaign_id = %(campaign)s AND e.created_at > %(at)s
), turned AS (
    SELECT DISTINCT ON (question_id) question_id, before FROM event
    WHERE NOT is_about_vote ORDER BY question_id, id
), changed AS (
    SELECT DISTINCT ON (before->>'vote') (before->>'vote')::uuid AS vote, before FROM event
    WHERE is_about_vote ORDER BY before->>'vote', id
), decided AS (
    SELECT * FROM (
        SELECT q.id,
            CASE WHEN u.question_id IS NULL THEN v.valid ELSE (u.before->>'valid')::boolean END
                AS valid,
            CASE WHEN u.question_id IS NULL THEN v.reasons ELSE u.before->'reasons' END AS reasons
        FROM collection_question q
        JOIN collection_twin t ON t.id = q.twin_id
        LEFT JOIN turned u ON u.question_id = q.id
        LEFT JOIN validation_verdict v ON v.question_id = q.id AND v.created_at <= %(at)s
        WHERE t.campaign_id = %(campaign)s AND (t.withdrawn_at IS NULL OR t.withdrawn_at > %(at)s)
    ) question WHERE valid IS NOT NULL
), given AS (
    SELECT v.id, v.question_id, v.worker_id, v.created_at, v.local_option,
        coalesce((c.before->>'option')::integer, v.option) AS option,
        coalesce((c.before->>'ambiguous')::boolean, v.ambiguous) AS ambiguous,
        CASE WHEN c.vote IS NULL THEN coalesce(v.excluded_at <= %(at)s, false)
            ELSE c.before->>'excluded_at' IS NOT NULL END AS excluded
    FROM validation_vote v
    JOIN collection_question q ON q.id = v.question_id
    JOIN collection_twin t ON t.id = q.twin_id
    LEFT JOIN changed c ON c.vote = v.public_id
    WHERE t.campaign_id = %(campaign)s AND NOT v.is_gold AND v.created_at <= %(at)s
)
"""


def fetch_past(snapshot: Snapshot, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of *statement*, which reads ``decided`` and ``given``."""
    values |= {
        "campaign": snapshot.campaign_id,
        "at": snapshot.created_at,
        "about_votes": [str(action) for action in VerdictEvent.ABOUT_VOTES],
    }
    with connection.cursor() as cursor:
        cursor.execute(_PAST + statement, values)
        return list(cursor.fetchall())


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
