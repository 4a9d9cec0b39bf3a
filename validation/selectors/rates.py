"""The time and pay of work for each worker."""

from dataclasses import dataclass
from typing import Any

from django.db import connection

from collection.core.costs import LONGEST_SECONDS, RateReport, WorkTime, report
from collection.models import Campaign

LATEST = 10_000
"""The number of newest twins and votes of the platform that ``recent_report`` looks at."""
FEWEST_WORKERS = 3  # with fewer, a figure would tell what one of them earned

WRITING = """
    SELECT u.public_id, sum(e.amount), sum(p.active_seconds), count(*)
    FROM collection_provenance p
    JOIN collection_twin t ON t.id = p.twin_id
    JOIN workers_ledgerentry e
      ON e.worker_id = t.author_id AND e.kind = 'twin' AND e.unit = t.public_id::text
    JOIN workers_user u ON u.id = t.author_id
    WHERE t.campaign_id = %(campaign)s AND t.withdrawn_at IS NULL AND p.active_seconds > 0
      AND t.id > (SELECT max(id) FROM collection_twin) - %(latest)s
      AND (%(simulated)s OR u.origin <> 'simulated')
    GROUP BY u.public_id
"""
# Begun as in ``exports.votes``.
VALIDATING = """
    SELECT u.public_id, sum(reward), sum(seconds), count(*)
    FROM (
        SELECT worker_id, reward, least(%(longest)s, extract(epoch FROM answered_at - greatest(
            claimed_at, lag(answered_at) OVER (PARTITION BY worker_id ORDER BY answered_at, id)
        ))) AS seconds
        FROM validation_seat
        WHERE campaign_id = %(campaign)s AND answered_at IS NOT NULL AND claimed_at IS NOT NULL
          AND reward IS NOT NULL AND id IN (
            SELECT seat_id FROM validation_vote
            WHERE id > (SELECT max(id) FROM validation_vote) - %(latest)s
          )
    ) seat
    JOIN workers_user u ON u.id = seat.worker_id
    WHERE seconds >= 1 AND (%(simulated)s OR u.origin <> 'simulated')
    GROUP BY u.public_id
"""


@dataclass(frozen=True, slots=True)
class HourlyReport:
    """Hourly rates of writing and of validating in a campaign."""

    writing: RateReport
    validating: RateReport


def hourly_report(campaign: Campaign) -> HourlyReport:
    """Return the hourly rates of a campaign's work with known times, in two queries."""
    floor = campaign.hourly_floor
    return HourlyReport(
        writing=report(_times(WRITING, campaign), floor=floor),
        validating=report(_times(VALIDATING, campaign), floor=floor),
    )


def recent_report(campaign: Campaign, *, writing: bool) -> RateReport | None:
    """Return time and pay of a campaign's recent work of one kind, for people who consider it.

    It reads the platform's ``LATEST`` twins or votes at most, so it takes as long in a large
    campaign as in a small one. None for fewer than ``FEWEST_WORKERS`` workers, without simulated
    ones.
    """
    statement = WRITING if writing else VALIDATING
    rates = report(_times(statement, campaign, latest=LATEST, simulated=False))
    return rates if rates.n_workers >= FEWEST_WORKERS else None


def _times(
    statement: str, campaign: Campaign, *, latest: int = 2**62, simulated: bool = True
) -> list[WorkTime]:
    named: dict[str, Any] = {
        "campaign": campaign.pk,
        "longest": LONGEST_SECONDS,
        "latest": latest,
        "simulated": simulated,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, named)
        return [WorkTime(who, pay, float(time), n) for who, pay, time, n in cursor.fetchall()]
