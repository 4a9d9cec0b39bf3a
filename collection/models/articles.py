"""Priming: articles and their assignment to writers."""

import uuid
from datetime import datetime
from typing import Any, ClassVar, Self

from django.apps import apps
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core.costs import votes_cost
from collection.models.campaigns import Campaign
from collection.models.members import of_member
from winoplatform.db.columns import reference
from winoplatform.db.constraints import unique
from workers.models import LedgerEntry, PromisedPay, PromisedPayQuerySet, User
from workers.models.promised_pay import LATE, MONEY


class ArticleQuerySet(models.QuerySet["Article"]):
    def current(self) -> Self:
        """Articles that writers may get: neither corrected since nor withdrawn."""
        return self.filter(retired_at=None)

    def newest(self) -> Self:
        """The last version of each article, whether or not it is withdrawn."""
        others = Article.objects.filter(
            campaign=OuterRef("campaign"),
            source_id=OuterRef("source_id"),
            version__gt=OuterRef("version"),
        )
        return self.filter(~Exists(others))


class Article(models.Model):
    """A how-to article that primes writers; its anchors are found once, at import.

    A correction is a new row, as twins and assignments refer to the text they were written from.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="articles")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    source_id = models.CharField(max_length=200)
    version = models.PositiveSmallIntegerField(default=1, editable=False)
    title = models.CharField(max_length=300)
    category = models.CharField(max_length=120, blank=True)
    text = models.TextField()
    anchors = models.JSONField(
        default=list, blank=True, help_text=_("Ranked: text, sentence, start, end, score.")
    )
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ArticleQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            unique(
                "has_each_version_once",
                ["campaign", "source_id", "version"],
                "The campaign already has this version of the article.",
            ),
            unique(
                "is_imported_once",
                ["campaign", "source_id"],
                "The campaign already has an article with this source id.",
                condition=Q(retired_at=None),
            ),
        ]

    def __str__(self) -> str:
        return self.title


class AssignmentQuerySet(PromisedPayQuerySet["Assignment"]):
    def visible_to(self, user: Any) -> Self:
        return self.filter(Q(worker=user) | of_member(user))

    def waiting(self) -> Self:
        return self.filter(status=Assignment.Status.OPEN)

    def done(self) -> Self:
        """Assignments with their twins, one row for each: a revision is paid like a first text."""
        return self.filter(twins__isnull=False)

    def promised(self, campaign: Campaign, now: datetime) -> Any:
        """Return the cost of assigned articles with all votes, at the pay promised for each."""
        votes = votes_cost(reward_vote=campaign.reward_vote, votes=campaign.votes_per_question)
        twin = Coalesce(F("reward"), Value(campaign.reward_twin), output_field=MONEY)
        return self.held(now=now - LATE).cost(campaign, twin + Value(votes, output_field=MONEY))

    def with_twin(self) -> Self:
        """Annotate ``twin``, the public id of the twin that was submitted and not withdrawn."""
        twins = apps.get_model("collection", "Twin").objects.filter(
            assignment=OuterRef("pk"), withdrawn_at=None
        )
        return self.annotate(twin=Subquery(twins.values("public_id")))


class Assignment(PromisedPay):
    """A random article leased to a writer.

    ::

        open ──submit──▶ submitted ◀──withdraw / revise──▶ withdrawn
          ├──return────▶ returned
          └──lease ends, next request──▶ expired
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("returned")
        EXPIRED = "expired", _("expired")
        WITHDRAWN = "withdrawn", _("withdrawn")

    class ReturnReason(models.TextChoices):
        NO_IDEA = "no_idea", _("I have no idea")
        UNCLEAR = "unclear", _("the article is not clear")
        POOR_ANCHORS = "poor_anchors", _("no useful anchor")
        OFFENSIVE = "offensive", _("it is offensive")
        OTHER = "other", _("something else")

    KIND = LedgerEntry.Kind.TWIN
    UNIT, DOER = "twins__public_id", "twins__author"
    WITHDRAWN_AT = "twins__withdrawn_at"

    campaign = reference(Campaign, "assignments")
    article = reference(Article, "assignments")
    worker = reference(User, "assignments")
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    leased_until = models.DateTimeField()
    reward = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        help_text=_("Reward for the twin, as promised when the article was handed out."),
    )
    return_reason = models.CharField(max_length=16, choices=ReturnReason, blank=True)
    return_comment = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            unique(
                "is_one_at_a_time",
                ["campaign", "worker"],
                "A writer holds only one assignment of a campaign at a time.",
                condition=Q(status="open"),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="collection_assignment_uses",
                fields=["campaign", "article", "status", "leased_until"],
                condition=Q(status__in=["open", "submitted"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.article} for {self.worker.public_id}"


class Draft(models.Model):
    """The unsubmitted text of an assignment, as the form's fields.

    ``version`` grows by one with each save, so that a page that missed another page's save detects
    the conflict. ``evidence`` sums the counts of the pages (``Provenance``).
    """

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="draft")
    fields = models.JSONField(default=dict, blank=True)
    evidence = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"draft {self.version} of {self.assignment_id}"
