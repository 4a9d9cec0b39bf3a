"""Stored quality reports of a campaign's votes."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from collection.models import Campaign
from stats.intervals import Estimate
from winoplatform.db.constraints import unique


class QualityReport(models.Model):
    """The quality of a campaign's votes at one time: a cache that may be deleted.

    All of it is computed from the votes; ``seconds`` is how long that took, so that an expensive
    report is kept longer.
    """

    campaign = models.OneToOneField(
        Campaign, primary_key=True, on_delete=models.CASCADE, related_name="quality_report"
    )
    figures = models.JSONField()
    n_votes = models.PositiveIntegerField()
    seconds = models.FloatField()
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"quality of {self.campaign_id} at {self.created_at:%Y-%m-%d %H:%M}"


class ValidatorFigures(models.Model):
    """One validator's row of a campaign's quality report.

    Shares are stored as counts; ends of intervals, skills and speeds are null where unknown.
    """

    report = models.ForeignKey(QualityReport, on_delete=models.CASCADE, related_name="validators")
    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="validator_figures"
    )
    n_votes = models.PositiveIntegerField()
    n_author = models.PositiveIntegerField()
    author_low = models.FloatField(null=True)
    author_high = models.FloatField(null=True)
    n_asked_others = models.PositiveIntegerField()
    n_others = models.PositiveIntegerField()
    others_low = models.FloatField(null=True)
    others_high = models.FloatField(null=True)
    n_asked_gold = models.PositiveIntegerField()
    n_gold = models.PositiveIntegerField()
    gold_low = models.FloatField(null=True)
    gold_high = models.FloatField(null=True)
    skill = models.FloatField(null=True)
    confirms = models.FloatField(null=True)
    contradicts = models.FloatField(null=True)
    n_excluded = models.PositiveIntegerField()
    n_reported = models.PositiveIntegerField()
    n_ambiguous = models.PositiveIntegerField()
    seconds = models.FloatField(null=True)
    sentence_seconds = models.FloatField(null=True)
    speed = models.FloatField(null=True)
    n_fast = models.PositiveIntegerField()
    flags = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [
            unique(
                "are_one_line_a_validator",
                ["report", "worker"],
                "A report has one row for each validator.",
            ),
        ]

    def __str__(self) -> str:
        return f"validator {self.worker_id} in {self.report_id}"

    @property
    def author(self) -> Estimate:
        """Agreement with the authors' answers."""
        return _share(self.n_author, self.n_votes, self.author_low, self.author_high)

    @property
    def others(self) -> Estimate:
        """Agreement with most of the other first votes on a question."""
        return _share(self.n_others, self.n_asked_others, self.others_low, self.others_high)

    @property
    def gold(self) -> Estimate:
        """Right answers to gold questions."""
        return _share(self.n_gold, self.n_asked_gold, self.gold_low, self.gold_high)


def _share(right: int, n: int, low: float | None, high: float | None) -> Estimate:
    return Estimate(right / n if n else None, low, high, n)
