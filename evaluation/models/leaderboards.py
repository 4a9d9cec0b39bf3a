"""Tables for leaderboards on blind tests."""

import uuid
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from corpora.models import Release
from winoplatform.db.columns import reference
from winoplatform.db.constraints import check, unique
from workers.models import User


class Leaderboard(models.Model):
    """Accepts predictions for the blind test of a campaign's releases, while it is open.

    One for all releases of a campaign: a question stays blind in each of them, so what scores tell
    about its label adds up over releases.
    """

    PER_YEAR = 12

    campaign = models.OneToOneField(Campaign, on_delete=models.PROTECT, related_name="leaderboard")
    per_year = models.PositiveSmallIntegerField(
        default=PER_YEAR,
        validators=[MinValueValidator(1), MaxValueValidator(366)],
        help_text=_("Submissions in any 365 days, of all people; more make scores noisier."),
    )
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "per_year_in_range",
                Q(per_year__gte=1, per_year__lte=366),
                "A leaderboard accepts 1 to 366 submissions in a year.",
            ),
        ]

    def __str__(self) -> str:
        return str(self.campaign)

    @property
    def per_person(self) -> int:
        """Submissions of one person in any 365 days, at most one in a day."""
        return max(1, self.per_year // 4)


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def in_year_before(self, now: datetime) -> Self:
        """Submissions of the 365 days up to *now*.

        Of a calendar year, two could be used up within two days.
        """
        return self.filter(created_at__gt=now - timedelta(days=365))


class Submission(models.Model):
    """The scores of one file of predictions; they have noise, and the file is not kept."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    leaderboard = reference(Leaderboard, "submissions")
    release = reference(Release, "submissions")
    submitter = reference(User)
    system = models.CharField(max_length=100, help_text=_("Shown to everyone."))
    link = models.URLField(blank=True, help_text=_("A paper or a repository; shown to everyone."))
    predictions_sha256 = models.CharField(max_length=64, editable=False)
    accuracy = models.FloatField(editable=False)
    pair_accuracy = models.FloatField(null=True, editable=False)
    area = models.FloatField(null=True, editable=False)
    accuracy_noise = models.FloatField(editable=False)
    pair_noise = models.FloatField(null=True, editable=False)
    share_told = models.FloatField(
        editable=False, help_text=_("Of the labels, that the scores tell at most.")
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-accuracy", "pk"]
        constraints: ClassVar = [
            unique(
                "file_is_scored_once",
                ["release", "predictions_sha256"],
                "These predictions have been scored for this release.",
            ),
            check(
                "scores_are_shares",
                Q(accuracy__gte=0, accuracy__lte=1)
                & (Q(pair_accuracy=None) | Q(pair_accuracy__gte=0, pair_accuracy__lte=1))
                & (Q(area=None) | Q(area__gte=0, area__lte=1)),
                "Scores are from 0 to 1.",
            ),
            check(
                "pairs_have_noise",
                Q(pair_accuracy=None, pair_noise=None)
                | Q(pair_accuracy__isnull=False, pair_noise__isnull=False),
                "A pair accuracy has noise.",
            ),
            check(
                "tells_a_share",
                Q(share_told__gt=0, share_told__lte=1),
                "A submission tells a share of the labels.",
            ),
        ]

    def __str__(self) -> str:
        return self.system
