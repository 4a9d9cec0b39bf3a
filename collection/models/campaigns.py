"""Campaigns: what is collected, with their rules and rewards."""

import uuid
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Exists, F, Prefetch, Q
from django.db.models.lookups import LessThan
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core import findings
from collection.core.background import LEAST_GROUP
from collection.core.rules import Thresholds
from collection.models import campaign_settings
from collection.models.members import Membership, of_member
from collection.models.second_person import SecondPerson
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from workers.models import User

BLOCKABLE = frozenset({*findings.WARNINGS, *findings.ADVICE}) - findings.OF_TEXTS
"""Codes of warnings that a campaign may turn into errors."""
SETTINGS = tuple(
    field.name
    for group in campaign_settings.GROUPS
    for field in group._meta.local_fields
    if field.name != "slug"
)
"""What curators can change; the slug is chosen once."""
MOVED = ("asked_by", "contact", "data_use")
"""Former settings that are part of the guidelines' versions; older histories have them."""
OF_TWINS = ("min_words", "max_words", "min_overlap", "votes_per_question", "verdict_policy")
"""Settings that a twin keeps as they were when it was submitted (decision 0003)."""


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def visible_to(self, user: Any) -> Self:
        """Those of which a curator is a member with the right that the request needs.

        Others see no drafts, and those for invited people only if they are; participants see only
        their own studies.
        """
        if user.is_curator:
            return self.filter(of_member(user, "pk"))
        rows = self.exclude(status=Campaign.Status.DRAFT)
        if user.is_participant:
            sessions = apps.get_model("collection", "CrowdSession").objects
            own = sessions.filter(participant__worker=user)
            return rows.filter(pk__in=own.values("study__campaign"))
        invited = Membership.objects.filter(user=user).values("campaign")
        joined = apps.get_model("collection", "Consent").objects.filter(worker=user)
        offered = Q(pk__in=invited) | Q(pk__in=joined.values("guideline__campaign"))
        return rows.filter(Q(is_by_invitation=False) | offered)

    def open(self) -> Self:
        return self.filter(status=Campaign.Status.OPEN)

    def without_simulated(self) -> Self:
        """Leave out campaigns of simulated people while another one is open."""
        simulated = Q(people_origin=User.Origin.SIMULATED)
        others = Campaign.objects.open().exclude(simulated)
        return self.exclude(simulated & Q(Exists(others)))

    def with_guidelines(self) -> Self:
        """Prefetch every campaign's newest guidelines with one more query."""
        versions = apps.get_model("collection", "Guideline").objects
        newest = versions.order_by("campaign_id", "-version").distinct("campaign_id")
        return self.prefetch_related(Prefetch("guideline_set", newest, to_attr="newest_guidelines"))


class Campaign(
    campaign_settings.Naming,
    campaign_settings.Pay,
    campaign_settings.People,
    campaign_settings.TwinFormat,
    campaign_settings.Priming,
    campaign_settings.WriterRequirements,
    campaign_settings.Validating,
    campaign_settings.Splits,
    SecondPerson,
    campaign_settings.BlockingChecks,
):
    """One collection effort with its own guidelines, thresholds, rewards and verdict policy.

    ::

        draft ──▶ open ◀──▶ paused
                    └──▶ closed ◀── paused
    """

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    status = models.CharField(max_length=16, choices=Status, default=Status.DRAFT)

    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            check(
                "word_limits_are_ordered",
                Q(min_words__gte=3) & Q(max_words__gte=F("min_words")),
                "The maximum length must not be below the minimum (≥ 3).",
            ),
            check(
                "overlap_is_a_share",
                Q(min_overlap__gte=0, min_overlap__lt=1),
                "The overlap threshold must be at least 0 and below 1.",
            ),
            check(
                "rewards_are_not_negative",
                Q(reward_twin__gte=0, reward_vote__gte=0, reward_exercise__gte=0),
                "A reward cannot be negative.",
            ),
            check(
                "votes_are_odd",
                Q(votes_per_question__in=[1, 3, 5, 7, 9]),
                "Votes per question must be odd (1 to 9), so that a majority exists.",
            ),
            check(
                "leases_last",
                Q(assignment_minutes__gte=1, vote_minutes__gte=1),
                "A lease must last at least one minute.",
            ),
            check(
                "exercise_can_be_passed",
                Q(
                    exercise_attempts__gte=1,
                    exercise_pass_share__gte=0,
                    exercise_pass_share__lte=1,
                ),
                "An exercise must have at least one attempt and a share from 0 to 1.",
            ),
            check(
                "exercise_asks_something",
                Q(exercise_length=None) | Q(exercise_length__gte=1),
                "An exercise must ask at least one item.",
            ),
            check(
                "approval_is_a_share",
                Q(min_approval_rate=None) | Q(min_approval_rate__gte=0, min_approval_rate__lte=1),
                "An approval rate must be between 0 and 1.",
            ),
            check(
                "gold_is_a_share",
                Q(gold_share__gte=0, gold_share__lte=Decimal("0.5"))
                & Q(gold_pass_share__gte=0, gold_pass_share__lte=1),
                "At most half of a validator's questions can be gold, and the "
                "share of right answers must be between 0 and 1.",
            ),
            check(
                "extra_votes_are_few",
                Q(extra_votes_max__lte=6),
                "At most six extra votes can be requested.",
            ),
            check(
                "least_group_is_large",
                Q(least_group__gte=LEAST_GROUP, least_group__lte=100),
                "The least group has 5 to 100 people.",
            ),
            check(
                "money_is_not_negative",
                (Q(budget_cap=None) | Q(budget_cap__gte=0))
                & (Q(hourly_floor=None) | Q(hourly_floor__gte=0)),
                "A budget and a rate cannot be negative.",
            ),
            check(
                "second_approval_is_above_a_sum",
                Q(second_approval_above=None) | Q(second_approval_above__gte=0),
                "The sum above which a second curator approves cannot be negative.",
            ),
            check(
                "split_shares_are_in_range",
                Q(dev_share__gte=0, test_share__gte=0)
                & Q(dev_share__lte=Decimal("0.5"), test_share__lte=Decimal("0.5")),
                "The dev and test shares must each be between 0 and 0.5.",
            ),
            check(
                "near_duplicate_is_in_range",
                Q(near_duplicate__gte=Decimal("0.3"), near_duplicate__lte=1),
                "The similarity of near-duplicates must be between 0.3 and 1.",
            ),
            check(
                "people_origin_is_known",
                Q(people_origin__in=["", *User.Origin.values]),
                "People are simulated, invited, from a crowd platform, or imported.",
            ),
            check(
                "second_person_is_known",
                Q(second_person__contained_by=["release", "retraction", "erasure"]),
                "A second person is for releases, retractions or erasures.",
            ),
            check(
                "leaves_something_to_train_on",
                LessThan(F("dev_share") + F("test_share"), Decimal(1)),
                "The dev and test shares must sum to less than 1.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        is_valid = isinstance(self.blocking, list) and BLOCKABLE.issuperset(map(str, self.blocking))
        if not is_valid or len(set(self.blocking)) < len(self.blocking):
            raise ValidationError(
                {"blocking": _("List codes of warnings, each once; see the list of rules.")}
            )

    @property
    def people_chosen(self) -> tuple[str, str]:
        """Who the people are by the curators' choice: origin and crowd platform, or empty."""
        return self.people_origin, self.people_platform

    @property
    def guideline(self) -> Any:
        """The newest version of the guidelines, or None if there are none yet."""
        fetched: list[Any] | None = getattr(self, "newest_guidelines", None)
        if fetched is not None:
            return fetched[0] if fetched else None
        return self.guideline_set.order_by("-version").first()

    @property
    def guidelines(self) -> str:
        """The text of the newest guidelines, in Markdown."""
        newest = self.guideline
        return newest.text if newest else ""

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting as JSON has it, by name; decimal numbers are texts."""
        fields = [field for field in self._meta.concrete_fields if field.name in SETTINGS]
        values = {field.name: field.value_from_object(self) for field in fields}
        return {k: str(v) if isinstance(v, Decimal) else v for k, v in values.items()}

    @property
    def for_twins(self) -> dict[str, Any]:
        """The settings that a twin submitted now keeps."""
        return {name: getattr(self, name) for name in OF_TWINS}

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(
            min_words=self.min_words, max_words=self.max_words, min_overlap=float(self.min_overlap)
        )


class SettingsChange(models.Model):
    """An entry of the history of a campaign's settings: who changed what, and when.

    Append-only: a database trigger refuses changes and deletions. The first entry has every setting
    in ``after`` and nothing in ``before``; the others have those that changed.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = reference(Campaign, "settings_changes")
    by = optional(User)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            unique(
                "begins_once",
                ["campaign"],
                "The campaign has a history of its settings already.",
                condition=Q(before={}),
            ),
            check("changes_something", ~Q(before=F("after")), "No setting has changed."),
        ]

    def __str__(self) -> str:
        return f"{', '.join(self.after)} of {self.campaign_id}"


class BudgetBound(models.Model):
    """An upper bound of what a campaign has committed: a cache that may be deleted at any time.

    Each promise adds to it, and released amounts are not subtracted, so it is never too low: while
    it is below the cap, entries and open seats need not be summed. Without it a claim of a gold
    question takes ten times as long, which reveals it (decision 0041). A database trigger deletes
    it when rates, votes, cap or status of the campaign change.
    """

    campaign = models.OneToOneField(
        Campaign, primary_key=True, on_delete=models.CASCADE, related_name="budget_bound"
    )
    amount = models.DecimalField(max_digits=24, decimal_places=2)
    counted_at = models.DateTimeField(help_text="When the exact sum was last computed.")

    def __str__(self) -> str:
        return f"at most {self.amount} in {self.campaign_id}"
