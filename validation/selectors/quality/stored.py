"""The stored quality report of a campaign."""

from datetime import timedelta

from django.db.models import F, QuerySet
from django.utils import timezone

from collection.models import Campaign
from validation.models import QualityReport, ValidatorFigures

# A report is kept a hundred times as long as it took: computing it uses 1 % of a core at most.
KEPT_TIMES, LONGEST = 100, timedelta(minutes=30)

SORTS = {
    "votes": F("n_votes").desc(),
    "author": F("author_low").asc(nulls_last=True),
    "others": F("others_low").asc(nulls_last=True),
    "gold": F("gold_low").asc(nulls_last=True),
    "skill": F("skill").asc(nulls_last=True),
    "speed": F("seconds").asc(nulls_last=True),
    "fast": F("n_fast").desc(),
    "excluded": F("n_excluded").desc(),
}
"""Orders of a list of validators; those that need a curator's attention come first."""


def stored_report(campaign: Campaign) -> QualityReport | None:
    return QualityReport.objects.filter(campaign=campaign).first()


def is_fresh(report: QualityReport) -> bool:
    """Return whether *report* is recent enough to be shown, and has all figures."""
    if "overpaid" not in report.figures.get("progress", {}):  # computed by an earlier version
        return False
    kept = min(timedelta(seconds=KEPT_TIMES * report.seconds), LONGEST)
    return timezone.now() - report.created_at < kept


def validator_lines(campaign: Campaign, *, sort: str = "votes") -> QuerySet[ValidatorFigures]:
    """Return the validators of a campaign's report, with accounts; the newest first in ties."""
    lines = ValidatorFigures.objects.filter(report=campaign.pk).select_related("worker")
    return lines.order_by(SORTS.get(sort, SORTS["votes"]), "-worker")
