"""Facts about a campaign's collection for the manifest of a release."""

from collections.abc import Mapping
from typing import Any

from django.db import connection
from django.db.models import Count, Max, Min, Q

from collection.core.rates import RateReport
from collection.models import Campaign, Question, Twin
from stats.agreement import agreement
from validation.core.verdicts import VERSION
from validation.models import Vote
from validation.selectors.rates import hourly_report

# Questions by how their first votes fall on the values of a part, so that few rows are read
# whatever the number of votes.
_PATTERNS = """
SELECT counts, count(*) FROM (
    SELECT ARRAY[{values}] AS counts FROM (
        SELECT v.question_id, v.option, v.ambiguous, v.local_option,
               row_number() OVER (PARTITION BY v.question_id ORDER BY v.created_at, v.id) AS place
        FROM validation_vote v
        JOIN collection_question q ON q.id = v.question_id
        JOIN collection_twin t ON t.id = q.twin_id
        WHERE t.campaign_id = %s AND NOT v.is_gold AND v.excluded_at IS NULL
    ) vote WHERE place <= %s GROUP BY question_id
) question GROUP BY counts
"""
# Each part of a vote: its values, and which value is which with the options swapped.
_PARTS: dict[str, tuple[tuple[str, ...], tuple[int, ...] | None]] = {
    "answer": (("option = 1", "option = 2"), (1, 0)),
    "ambiguity": (("NOT ambiguous", "ambiguous"), None),
    "local": (("local_option IS NULL", "local_option = 1", "local_option = 2"), (0, 2, 1)),
}
_REASONS = """
SELECT reason, count(*) FROM validation_verdict v
JOIN collection_question q ON q.id = v.question_id JOIN collection_twin t ON t.id = q.twin_id,
jsonb_array_elements_text(v.reasons) AS reason
WHERE t.campaign_id = %s AND t.withdrawn_at IS NULL GROUP BY reason ORDER BY reason
"""


def collection_facts(campaign: Campaign) -> dict[str, Any]:
    """Return who wrote and validated, when, by which rules and for which pay."""
    versions = campaign.guideline_set.order_by("version").values_list("version", flat=True)
    return {
        **_written(campaign),
        **_validated(campaign),
        **_pay(campaign),
        "guideline_versions": [str(version) for version in versions],
        "votes_per_question": campaign.votes_per_question,
        "verdict_policy": campaign.verdict_policy,
        "verdict_version": str(VERSION),
        "rules": {
            "min_words": campaign.min_words,
            "max_words": campaign.max_words,
            "min_overlap": float(campaign.min_overlap),
            "near_duplicate": float(campaign.near_duplicate),
        },
        "excluded": _excluded(campaign),
    }


def agreement_facts(campaign: Campaign) -> dict[str, Any]:
    """Return the agreement of the first votes on each question, by part and measure."""
    found = {}
    for part, (values, mirror) in _PARTS.items():
        counts = _counts(campaign, values)
        if not counts:
            continue
        patterns, times = zip(*counts, strict=True)
        measured = agreement(patterns, times=times, mirror=mirror)
        for measure in ("raw", "alpha", "kappa"):
            value = getattr(measured, measure)
            n = measured.n_kappa if measure == "kappa" else measured.n_items
            found[f"{part}_{measure}"] = {"value": value, "low": None, "high": None, "n": n}
    return found


def _written(campaign: Campaign) -> dict[str, Any]:
    found = Twin.objects.filter(campaign=campaign).aggregate(
        writers=Count("author", distinct=True),
        twins_written=Count("pk", filter=Q(origin=Twin.Origin.AUTHORED)),
        first_written=Min("created_at"),
        last_written=Max("created_at"),
    )
    days = {name: _day(found[name]) for name in ("first_written", "last_written")}
    return found | days


def _pay(campaign: Campaign) -> dict[str, Any]:
    hourly = hourly_report(campaign)
    return {
        "pay_per_twin": str(campaign.reward_twin),
        "pay_per_vote": str(campaign.reward_vote),
        "currency": campaign.currency,
        "hourly_pay": {"writing": _rate(hourly.writing), "validating": _rate(hourly.validating)},
    }


def _validated(campaign: Campaign) -> dict[str, int]:
    votes = Vote.objects.counted().filter(question__twin__campaign=campaign).order_by()
    questions = Question.objects.in_campaign(campaign).order_by()
    return votes.aggregate(votes=Count("pk"), validators=Count("worker", distinct=True)) | (
        questions.aggregate(
            questions_validated=Count("pk", filter=Q(verdict__isnull=False)),
            questions_valid=Count("pk", filter=Q(verdict__valid=True)),
        )
    )


def _excluded(campaign: Campaign) -> dict[str, int]:
    """Return what was collected and is not used, by reason."""
    withdrawn = Twin.objects.filter(campaign=campaign, withdrawn_at__isnull=False).count()
    votes = Vote.objects.filter(question__twin__campaign=campaign, excluded_at__isnull=False)
    with connection.cursor() as cursor:
        cursor.execute(_REASONS, [campaign.pk])
        reasons = dict(cursor.fetchall())
    return {"twins_withdrawn": withdrawn, "votes_excluded": votes.count(), **reasons}


def _counts(campaign: Campaign, values: tuple[str, ...]) -> list[tuple[list[int], int]]:
    """Return the votes for each value, and how many questions have these."""
    columns = ", ".join(f"count(*) FILTER (WHERE {value})" for value in values)
    with connection.cursor() as cursor:
        cursor.execute(_PATTERNS.format(values=columns), [campaign.pk, campaign.votes_per_question])
        return list(cursor.fetchall())


def _rate(report: RateReport) -> Mapping[str, Any]:
    return {
        "median": None if report.median is None else str(round(report.median, 2)),
        "n": report.n_workers,
    }


def _day(moment: Any) -> str | None:
    return None if moment is None else moment.date().isoformat()
