"""Facts about a campaign's collection up to a snapshot, for the manifest of a release."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Min, Q

from collection.core.rates import RateReport
from collection.models import Campaign, Twin
from corpora.models import Snapshot
from corpora.selectors.past import fetch_past
from stats.agreement import agreement_of_groups
from validation.core.verdicts import VERSION
from validation.selectors.rates import hourly_report

# Twins by how the first votes on their questions fall on the values of a part, so that few rows are
# read whatever the number of votes.
_PATTERNS = """
SELECT counts, count(*) FROM (
    SELECT array_agg(counts ORDER BY counts) AS counts FROM (
        SELECT twin_id, ARRAY[{values}] AS counts FROM (
            SELECT g.*, q.twin_id,
                row_number() OVER (PARTITION BY question_id ORDER BY g.created_at, g.id) AS place
            FROM given g JOIN decided d ON d.id = g.question_id
            JOIN collection_question q ON q.id = g.question_id WHERE NOT excluded
        ) vote WHERE place <= %(votes)s GROUP BY twin_id, question_id
    ) question GROUP BY twin_id
) twin GROUP BY counts ORDER BY counts
"""
# Each part of a vote: its values, and which value is which with the options swapped.
_PARTS: dict[str, tuple[tuple[str, ...], tuple[int, ...] | None]] = {
    "answer": (("option = 1", "option = 2"), (1, 0)),
    "ambiguity": (("NOT ambiguous", "ambiguous"), None),
    "local": (("local_option IS NULL", "local_option = 1", "local_option = 2"), (0, 2, 1)),
}
_VALIDATED = """
SELECT count(*), count(DISTINCT worker_id),
    (SELECT count(*) FROM decided), (SELECT count(*) FROM decided WHERE valid),
    (SELECT count(*) FROM given WHERE excluded)
FROM given g JOIN decided d ON d.id = g.question_id WHERE NOT excluded
"""
_REASONS = """
SELECT reason, count(*) FROM decided, jsonb_array_elements_text(reasons) AS reason
GROUP BY reason ORDER BY reason
"""


def collection_facts(snapshot: Snapshot) -> dict[str, Any]:
    """Return who wrote and validated, when, by which rules and for which pay.

    All as it was when the snapshot was requested, but for the campaign's settings, which have no
    history. Votes are those that counted for the verdicts of that time.
    """
    campaign, at = snapshot.campaign, snapshot.created_at
    guidelines = campaign.guideline_set.filter(created_at__lte=at).order_by("version")
    votes_excluded, validated = _validated(snapshot)
    return {
        **_written(campaign, at),
        **validated,
        **_pay(campaign, at),
        "guideline_versions": [str(guideline.version) for guideline in guidelines.only("version")],
        "votes_per_question": campaign.votes_per_question,
        "verdict_policy": campaign.verdict_policy,
        "verdict_version": str(VERSION),
        "rules": {
            "min_words": campaign.min_words,
            "max_words": campaign.max_words,
            "min_overlap": float(campaign.min_overlap),
            "near_duplicate": float(campaign.near_duplicate),
        },
        "excluded": {
            "twins_withdrawn": campaign.twins.filter(withdrawn_at__lte=at).count(),
            "votes_excluded": votes_excluded,
            **dict(fetch_past(snapshot, _REASONS)),
        },
    }


def agreement_facts(snapshot: Snapshot) -> dict[str, Any]:
    """Return the agreement of the first votes on each decided question, by part and measure.

    Intervals are over twins, for these validators.
    """
    found = {}
    for part, (values, mirror) in _PARTS.items():
        counts = _counts(snapshot, values)
        if counts:
            measured = agreement_of_groups(counts, mirror=mirror)
            for measure in ("raw", "alpha", "kappa"):
                found[f"{part}_{measure}"] = asdict(getattr(measured, measure))
    return found


def _written(campaign: Campaign, at: datetime) -> dict[str, Any]:
    found = Twin.objects.filter(campaign=campaign, created_at__lte=at).aggregate(
        writers=Count("author", distinct=True),
        twins_written=Count("pk", filter=Q(origin=Twin.Origin.AUTHORED)),
        first_written=Min("created_at"),
        last_written=Max("created_at"),
    )
    days = {name: _day(found[name]) for name in ("first_written", "last_written")}
    return found | days


def _pay(campaign: Campaign, at: datetime) -> dict[str, Any]:
    hourly = hourly_report(campaign, until=at)
    return {
        "pay_per_twin": str(campaign.reward_twin),
        "pay_per_vote": str(campaign.reward_vote),
        "currency": campaign.currency,
        "hourly_pay": {"writing": _rate(hourly.writing), "validating": _rate(hourly.validating)},
    }


def _validated(snapshot: Snapshot) -> tuple[int, dict[str, int]]:
    """Return the number of excluded votes, and the figures of the decided questions."""
    [(votes, validators, questions, valid, excluded)] = fetch_past(snapshot, _VALIDATED)
    return excluded, {
        "votes": votes,
        "validators": validators,
        "questions_validated": questions,
        "questions_valid": valid,
    }


def _counts(snapshot: Snapshot, values: tuple[str, ...]) -> dict[tuple[tuple[int, ...], ...], int]:
    """Return the votes for each value on a twin's questions, and how many twins have these."""
    columns = ", ".join(f"count(*) FILTER (WHERE {value})" for value in values)
    statement = _PATTERNS.format(values=columns)
    found = fetch_past(snapshot, statement, votes=snapshot.campaign.votes_per_question)
    return {tuple(map(tuple, counts)): times for counts, times in found}


def _rate(report: RateReport) -> Mapping[str, Any]:
    return {
        "median": None if report.median is None else str(round(report.median, 2)),
        "n": report.n_workers,
    }


def _day(moment: Any) -> str | None:
    return None if moment is None else moment.date().isoformat()
