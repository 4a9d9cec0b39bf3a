"""Cases: questions for curators to review, the most contested first."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q

from collection.models import Campaign, Question, Twin

KEY_BITS = 40  # a rank has the next 15


class CaseQuerySet(models.QuerySet["Case"]):
    def in_campaign(self, campaign: Campaign) -> Self:
        return self.filter(campaign=campaign)

    def active(self) -> Self:
        """Cases of twins that are neither withdrawn nor revised."""
        return self.filter(question__twin__withdrawn_at=None)

    def listed(self) -> Self:
        """Order by the review queue: highest rank first, then the newest question."""
        return self.order_by("-place")


class Case(models.Model):
    """Why a question is in the review queue; most questions have no case.

    ``rank`` is its priority; see ``core/ranks.py``. ``place`` is the rank and,
    below it, the question's key: one number that orders the review queue, and a page's cursor.
    Campaign and domain are copied from the question's twin, where they never change, so one index
    serves: at 100,000 questions a query of what makes the rank takes 20 times as long (decision
    0041).

    ::

        open ──a curator decides──▶ closed ──a report, an appeal upheld, or an offer──▶ open
          ├──reports looked at, and nothing else is contested──▶ closed
          └──returned for revision──▶ waits for its author
    """

    question = models.OneToOneField(
        Question, primary_key=True, on_delete=models.PROTECT, related_name="case"
    )
    campaign = models.ForeignKey(
        Campaign, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    domain = models.CharField(max_length=16, choices=Twin.Domain)
    rank = models.PositiveSmallIntegerField(default=0)
    place = models.BigIntegerField(default=0)
    reports = models.PositiveSmallIntegerField(default=0)
    # How many of the reports a curator has seen: these no longer count for its place.
    reports_seen = models.PositiveSmallIntegerField(default=0)
    appealed = models.BooleanField(default=False)
    # Whether a curator offered it as a likely label error, by a model's training.
    suspected = models.BooleanField(default=False)
    # Whether words of its text may be obscene or hateful (``collection.core.advice.texts``).
    flagged = models.BooleanField(default=False, db_default=False)
    returned = models.BooleanField(default=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        indexes: ClassVar[list[Any]] = [
            models.Index(
                name="validation_case_review_queue",
                fields=["campaign", "-place"],
                condition=Q(closed_at=None, returned=False),
            ),
            models.Index(name="validation_case_listed", fields=["campaign", "-place"]),
        ]

    def __str__(self) -> str:
        return f"case {self.rank}: question {self.question_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.place = (self.rank << KEY_BITS) + self.question_id
        super().save(*args, **kwargs)

    @property
    def new_reports(self) -> int:
        """The number of reports that no curator has seen."""
        return max(self.reports - self.reports_seen, 0)

    @property
    def n_reasons(self) -> int:
        """How many reasons for review end at once when a curator has seen them."""
        return sum(map(bool, (self.new_reports, self.suspected, self.flagged)))
