"""Campaigns: what is collected, with their rules and rewards."""

import uuid
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Exists, F, Prefetch, Q
from django.db.models.lookups import LessThan
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core import findings
from collection.core.rules import Thresholds
from winoplatform.constraints import check, unique
from winoplatform.money import AmountField
from workers.models import User

BLOCKABLE = frozenset({*findings.WARNINGS, *findings.ADVICE}) - findings.OF_TEXTS
"""Codes of warnings that a campaign may turn into errors."""
NO_SETTINGS = ("id", "public_id", "slug", "status", "created_at")
OF_TWINS = ("min_words", "max_words", "min_overlap", "votes_per_question", "verdict_policy")
"""Settings that a twin keeps as they were when it was submitted (decision 0003)."""


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def visible_to(self, user: Any) -> Self:
        """All for curators; others see no drafts, participants only their own studies."""
        if user.is_curator:
            return self
        rows = self.exclude(status=Campaign.Status.DRAFT)
        if not user.is_participant:
            return rows
        sessions = apps.get_model("collection", "CrowdSession").objects
        own = sessions.filter(participant__worker=user)
        return rows.filter(pk__in=own.values("study__campaign"))

    def open(self) -> Self:
        return self.filter(status=Campaign.Status.OPEN)

    def offered(self) -> Self:
        """Leave out campaigns of simulated people while another one is open."""
        simulated = Q(people_origin=User.Origin.SIMULATED)
        others = Campaign.objects.open().exclude(simulated)
        return self.exclude(simulated & Q(Exists(others)))

    def with_guidelines(self) -> Self:
        """Prefetch every campaign's newest guidelines with one more query."""
        versions = apps.get_model("collection", "Guideline").objects
        newest = versions.order_by("campaign_id", "-version").distinct("campaign_id")
        return self.prefetch_related(Prefetch("guideline_set", newest, to_attr="newest_guidelines"))


class Campaign(models.Model):
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

    class Policy(models.TextChoices):
        MAJORITY = "majority", _("majority (AAAI 2020)")
        UNANIMOUS = "unanimous", _("unanimous (arXiv v1)")

    class PastePolicy(models.TextChoices):
        NOTE = "note", _("allowed, its share is recorded")
        BLOCK = "block", _("refused on the writing page")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    status = models.CharField(max_length=16, choices=Status, default=Status.DRAFT)

    min_words = models.PositiveSmallIntegerField(default=15)
    max_words = models.PositiveSmallIntegerField(default=30)
    min_overlap = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.70"),
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("0.99"))],
    )
    reward_twin = AmountField(max_digits=8, is_pay=True, default=Decimal("0.40"))
    reward_vote = AmountField(max_digits=8, is_pay=True, default=Decimal("0.03"))
    currency = models.CharField(
        max_length=3, default="USD", validators=[RegexValidator(r"^[A-Z]{3}$")]
    )
    votes_per_question = models.PositiveSmallIntegerField(default=3)
    verdict_policy = models.CharField(max_length=16, choices=Policy, default=Policy.MAJORITY)
    assignment_minutes = models.PositiveSmallIntegerField(default=60)
    vote_minutes = models.PositiveSmallIntegerField(default=3)

    # Validating; an empty limit means no limit.
    extra_votes_max = models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(6)],
        help_text=_("Additional votes if validators differ and a vote could change the verdict."),
    )
    gold_share = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0"),
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("0.5"))],
        help_text=_("Share of gold questions among a validator's questions; 0 for none."),
    )
    gold_pass_share = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.70"),
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("1"))],
        help_text=_("Share of right gold answers below which a validator is warned, then paused."),
    )
    votes_per_day_max = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Maximum votes of one worker in 24 hours.")
    )
    votes_per_worker_max = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Maximum votes of one worker in total.")
    )

    # Money; an empty limit means no limit.
    budget_cap = AmountField(
        max_digits=12,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_("Maximum cost of the campaign: no work is handed out beyond it."),
    )
    second_approval_above = AmountField(
        max_digits=12,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_(
            "Sum above which a second curator approves a bonus, adjustment or payout; empty for "
            "none."
        ),
    )
    pay_terms = models.CharField(
        max_length=300, blank=True, help_text=_("Who pays, and when; shown to workers.")
    )
    contact = models.CharField(
        max_length=200, blank=True, help_text=_("Whom workers can ask, and how.")
    )
    hourly_floor = AmountField(
        max_digits=8,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_("Hourly rate below which curators are notified."),
    )

    asked_by = models.CharField(
        max_length=200,
        blank=True,
        default="",
        db_default="",
        help_text=_("Who asks for the work: people and institution; shown to workers."),
    )
    data_use = models.CharField(
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text=_("What happens with the data; shown to workers."),
    )

    # Who the people are; an account that tells it overrides the choice (``core/people.py``).
    people_origin = models.CharField(
        max_length=16,
        choices=User.Origin,
        blank=True,
        default="",
        db_default="",
        help_text=_("Who works, as far as accounts do not tell it."),
    )
    people_platform = models.CharField(
        max_length=80,
        blank=True,
        default="",
        db_default="",
        help_text=_("The crowd platform, where links do not name it."),
    )
    # For the data card of a release; empty is "not stated".
    population = models.CharField(
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text=_("Age, gender, country and first language, as far as known."),
    )
    consent = models.CharField(
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text=_("What people were told, and how they consented."),
    )
    ethics_review = models.CharField(
        max_length=300,
        blank=True,
        default="",
        db_default="",
        help_text=_("The board that reviewed the study, and its number."),
    )
    funding = models.CharField(
        max_length=300, blank=True, default="", db_default="", help_text=_("Who paid for it.")
    )

    goal_pairs = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Valid pairs that the campaign is to collect: the dashboard's goal."),
    )

    # Priming and writing; an empty limit means no limit.
    article_uses_max = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Maximum twins for one article.")
    )
    anchor_uses_max = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Maximum twins for one anchor.")
    )
    trigger_uses_max = models.PositiveIntegerField(
        default=10,
        help_text=_("Number of twins with one trigger from which writers are advised against it."),
    )
    twins_per_day_max = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Maximum twins of one worker in 24 hours.")
    )
    twins_per_worker_max = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Maximum twins of one worker in total.")
    )
    blocking = models.JSONField(
        default=list, blank=True, help_text=_("Codes of warnings that are errors in this campaign.")
    )
    paste_policy = models.CharField(max_length=16, choices=PastePolicy, default=PastePolicy.NOTE)

    # Who may write.
    reward_exercise = AmountField(max_digits=8, is_pay=True, default=Decimal("0.50"))
    exercise_pass_share = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.80"),
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("1"))],
    )
    exercise_attempts = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1)]
    )
    exercise_length = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Items asked in a training or an attempt at the test; empty for all."),
    )
    min_approvals = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Minimum number of a crowd worker's approved tasks.")
    )
    min_approval_rate = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("1"))],
        help_text=_("Minimum share of a crowd worker's tasks that were approved."),
    )

    # Splits; a twin keeps the split that it was assigned (``corpora.Draw``).
    dev_share = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.10"),
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("0.5"))],
        help_text=_("Share of new twins that are assigned to dev."),
    )
    test_share = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.10"),
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("0.5"))],
        help_text=_("Share of new twins that are assigned to the blind test."),
    )
    near_duplicate = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.60"),
        validators=[MinValueValidator(Decimal("0.3")), MaxValueValidator(Decimal("1"))],
        help_text=_("Similarity to a blind question from which a release leaves a question out."),
    )
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
                "leaves_something_to_train_on",
                LessThan(F("dev_share") + F("test_share"), Decimal(1)),
                "The dev and test shares must sum to less than 1.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        known = isinstance(self.blocking, list) and BLOCKABLE.issuperset(map(str, self.blocking))
        if not known or len(set(self.blocking)) < len(self.blocking):
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
        fields = [field for field in self._meta.concrete_fields if field.name not in NO_SETTINGS]
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
    campaign = models.ForeignKey(
        Campaign, on_delete=models.PROTECT, related_name="settings_changes"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
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
