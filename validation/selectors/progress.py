"""The progress of a campaign by day: stored with its quality report, as it reads every vote."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connection

from collection.core.costs import RateReport
from collection.models import Campaign
from collection.selectors import budget
from validation.models.votes import COUNTS_SQL
from validation.selectors.rates import hourly_report

DAYS, PEOPLE, RECENT = 60, 10, timedelta(days=7)

# Load counts the same work as days: twins that are not withdrawn, votes that a verdict counts.
# A pair is valid from the later of its questions on, a question from the audit log's last event
# that made it valid: a curator who confirms a verdict changes its date, but not since when it is
# valid.
COUNTS = f"""
    SELECT 'twins', (created_at AT TIME ZONE 'UTC')::date, count(*)
    FROM collection_twin
    WHERE campaign_id = %(campaign)s AND origin = 'authored' AND withdrawn_at IS NULL
    GROUP BY 2
    UNION ALL
    SELECT 'votes', (s.answered_at AT TIME ZONE 'UTC')::date, count(*)
    FROM validation_seat s JOIN validation_vote v ON v.seat_id = s.id
    WHERE s.campaign_id = %(campaign)s AND s.answered_at IS NOT NULL
      AND {COUNTS_SQL}
    GROUP BY 2
    UNION ALL
    SELECT 'pairs', (valid_at AT TIME ZONE 'UTC')::date, count(*)
    FROM (
        SELECT max(coalesce(made.valid_at, v.created_at)) AS valid_at
        FROM validation_questionfacts f
        JOIN validation_verdict v USING (question_id)
        LEFT JOIN (
            SELECT e.question_id, max(e.created_at) AS valid_at
            FROM validation_verdictevent e JOIN validation_questionfacts q USING (question_id)
            WHERE q.campaign_id = %(campaign)s AND e.after ->> 'valid' = 'true'
              AND e.before ->> 'valid' IS DISTINCT FROM 'true'
            GROUP BY 1
        ) made USING (question_id)
        WHERE f.campaign_id = %(campaign)s AND f.state = 'valid'
        GROUP BY f.twin_id HAVING count(*) = 2
    ) pair
    GROUP BY 2
"""
LOAD = f"""
    SELECT u.public_id, sum(twins), sum(votes)
    FROM (
        SELECT author_id AS person, count(*) AS twins, 0 AS votes
        FROM collection_twin
        WHERE campaign_id = %(campaign)s AND origin = 'authored' AND withdrawn_at IS NULL
          AND created_at >= %(since)s
        GROUP BY 1
        UNION ALL
        SELECT s.worker_id, 0, count(*)
        FROM validation_seat s JOIN validation_vote v ON v.seat_id = s.id
        WHERE s.campaign_id = %(campaign)s AND s.answered_at >= %(since)s
          AND {COUNTS_SQL}
        GROUP BY 1
    ) work
    JOIN workers_user u ON u.id = work.person
    GROUP BY u.public_id
    ORDER BY sum(twins) + sum(votes) DESC, u.public_id
"""
# Seats have no date. A question waits since it was written, or since it lost its verdict or the
# votes asked for another one, as it had no open seat just before.
QUEUE = """
    WITH waiting AS (
        SELECT asked.question_id, asked.votes, greatest(t.created_at, (
            SELECT max(e.created_at)
            FROM validation_verdictevent e
            WHERE e.question_id = asked.question_id AND e.after ->> 'valid' IS NULL
              AND (e.before ->> 'valid' IS NOT NULL OR e.action = 'one_more' AND e.by_id IS NULL)
        )) AS since
        FROM (
            SELECT s.question_id, s.twin_id, count(*) AS votes
            FROM validation_seat s
            JOIN validation_questionfacts f
              ON f.question_id = s.question_id AND f.state = 'awaiting_votes'
            WHERE s.campaign_id = %(campaign)s AND s.answered_at IS NULL AND s.gold_id IS NULL
            GROUP BY 1, 2
        ) asked
        JOIN collection_twin t ON t.id = asked.twin_id
    )
    SELECT count(*), sum(votes), min(since), (
        SELECT public_id FROM collection_question
        WHERE id = (SELECT question_id FROM waiting ORDER BY since, question_id LIMIT 1)
    )
    FROM waiting
"""


def progress_of(campaign: Campaign, now: datetime) -> dict[str, Any]:
    """Return the figures of a campaign's dashboard as JSON types, in six queries."""
    named = {"campaign": campaign.pk, "since": now - RECENT}
    load = _rows(LOAD, named)
    questions, votes, since, longest = _rows(QUEUE, named)[0]
    money, pay = budget.state(campaign), hourly_report(campaign)
    counts = _rows(COUNTS, named)
    return {
        "days": list(_days(counts, now.date())),
        "pairs": sum(n for kind, _day, n in counts if kind == "pairs"),
        "load": [
            {"worker": worker, "twins": int(twins), "votes": int(n_votes)}
            for worker, twins, n_votes in load[:PEOPLE]
        ],
        "n_people": len(load),
        "queue": {
            "questions": questions,
            "votes": int(votes or 0),
            "oldest": since and since.isoformat(),
            "longest_waiting": longest,
        },
        "owed": str(money.owed),
        "overpaid": str(money.overpaid),
        "promised": str(money.promised),
        "writing": _rate(pay.writing),
        "validating": _rate(pay.validating),
    }


def _rows(statement: str, named: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, named)
        return list(cursor.fetchall())


def _days(counts: list[tuple[Any, ...]], today: date) -> Iterator[dict[str, Any]]:
    """Yield the counts of each day from the first with work on, at most the latest ``DAYS``."""
    by_day: dict[date, dict[str, int]] = {}
    for kind, day, number in counts:
        by_day.setdefault(day, {})[kind] = number
    day = max(min(by_day, default=today), today - timedelta(days=DAYS - 1))
    while by_day and day <= today:
        counts_of_day = by_day.get(day, {})
        kinds = {kind: counts_of_day.get(kind, 0) for kind in ("twins", "votes", "pairs")}
        yield {"day": day.isoformat(), **kinds}
        day += timedelta(days=1)


def _rate(report: RateReport) -> dict[str, Any]:
    ends = {name: getattr(report, name) for name in ("median", "low", "high")}
    interval = {name: None if end is None else f"{end:.2f}" for name, end in ends.items()}
    return {**interval, "n": report.n_workers, "n_units": report.n_units}
