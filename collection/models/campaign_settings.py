"""The settings of a campaign, in groups: each with its label, meaning, bounds and default.

Forms, serializers, the history and the list of settings derive from these columns. An empty limit
means no limit.
"""

from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from collection.core.background import LEAST_GROUP
from collection.models.second_person import SecondPerson
from collection.models.shares import ShareField
from winoplatform.db.money import AmountField
from workers.models import User


def _limit(label: Any, meaning: Any) -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(label, null=True, blank=True, help_text=meaning)


def _text(label: Any, max_length: int, meaning: Any) -> "models.CharField[str, str]":
    return models.CharField(
        label, max_length=max_length, blank=True, default="", db_default="", help_text=meaning
    )


class Naming(models.Model):
    TITLE = _("Name")

    name = models.CharField(
        _("Name"), max_length=120, help_text=_("Shown to workers and curators.")
    )
    slug = models.SlugField(
        _("Short name"),
        unique=True,
        help_text=_(
            "Used in addresses: letters, digits, hyphens and underscores. It cannot be changed "
            "later."
        ),
    )

    class Meta:
        abstract = True


class Pay(models.Model):
    TITLE = _("Pay")

    currency = models.CharField(
        _("Currency"),
        max_length=3,
        default="USD",
        validators=[RegexValidator(r"^[A-Z]{3}$")],
        help_text=_("Three capital letters, such as USD."),
    )
    reward_twin = AmountField(
        _("Pay per twin"),
        max_digits=8,
        is_pay=True,
        default=Decimal("0.40"),
        help_text=_("Paid when it is submitted."),
    )
    reward_vote = AmountField(
        _("Pay per vote"),
        max_digits=8,
        is_pay=True,
        default=Decimal("0.03"),
        help_text=_("Paid when it is cast."),
    )
    reward_exercise = AmountField(
        _("Pay for training and test"),
        max_digits=8,
        is_pay=True,
        default=Decimal("0.50"),
        help_text=_(
            "Paid once: for the first test that is passed, or has more correct answers than "
            "guessing explains (probability of at most 5%). A training without a test is paid "
            "when its last answers are correct. 0 for no pay."
        ),
    )
    budget_cap = AmountField(
        _("Budget"),
        max_digits=12,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_("Maximum total cost: no work is assigned beyond it. Empty for no limit."),
    )
    second_approval_above = AmountField(
        _("Second approval above"),
        max_digits=12,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_(
            "A bonus or payout above this sum, or several by one curator within 24 hours, is "
            "approved by another curator before it is paid. Empty to turn this off; only an admin "
            "can raise or empty it later."
        ),
    )
    hourly_floor = AmountField(
        _("Lowest hourly rate"),
        max_digits=8,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_("Curators see who earns less; empty to turn this off."),
    )
    goal_pairs = models.PositiveIntegerField(
        _("Goal"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Valid pairs to collect; empty for no goal."),
    )
    pay_terms = models.CharField(
        _("Who pays, and when"),
        max_length=300,
        blank=True,
        help_text=_(
            "Workers read this before they begin: “The university, at the end of each month.”"
        ),
    )

    class Meta:
        abstract = True


class People(models.Model):
    TITLE = _("People")

    is_by_invitation = models.BooleanField(
        _("For invited people only"),
        default=False,
        db_default=False,
        help_text=_("Only people who are invited to this campaign are offered its work."),
    )
    people_origin = models.CharField(
        _("Who the people are"),
        max_length=16,
        choices=User.Origin,
        blank=True,
        default="",
        db_default="",
        help_text=_(
            "Said beside every figure about people. Accounts that came by an invitation or from a "
            "crowd platform tell it themselves; this is for the others."
        ),
    )
    people_platform = _text(
        _("Crowd platform"),
        80,
        _("Its name, if people come from one by links that do not name it."),
    )
    population = _text(
        _("Population"),
        500,
        _("Age, gender, country and first language, as far as known; for the data card."),
    )
    consent = _text(
        _("Consent"), 500, _("What people are told, and how they consent; for the data card.")
    )
    least_group = models.PositiveSmallIntegerField(
        _("Least group"),
        default=LEAST_GROUP,
        db_default=LEAST_GROUP,
        validators=[MinValueValidator(LEAST_GROUP), MaxValueValidator(100)],
        help_text=_(
            "Answers to optional questions about people are published in multiples of this number "
            "of people, for twice as many people or more."
        ),
    )
    ethics_review = _text(
        _("Ethics review"),
        300,
        _("The board that reviewed the study, and its number; for the data card."),
    )
    funding = _text(_("Funding"), 300, _("Who pays for the study; for the data card."))

    class Meta:
        abstract = True


class TwinFormat(models.Model):
    TITLE = _("Format of a twin")

    min_words = models.PositiveSmallIntegerField(
        _("Minimum words"), default=15, help_text=_("In each sentence, including the blank.")
    )
    max_words = models.PositiveSmallIntegerField(
        _("Maximum words"), default=30, help_text=_("In each sentence, including the blank.")
    )
    min_overlap = ShareField(
        _("Shared words"),
        default=Decimal("0.70"),
        high=Decimal("0.99"),
        help_text=_("Minimum share: 0.70 is 70%."),
    )

    class Meta:
        abstract = True


class Priming(models.Model):
    TITLE = _("Articles and anchors")

    assignment_minutes = models.PositiveSmallIntegerField(
        _("Minutes for an article"),
        default=60,
        help_text=_(
            "A writer has one article at a time. When the time is over, another writer can get "
            "it; its writer can renew the time."
        ),
    )
    article_uses_max = _limit(_("Twins for one article"), _("Maximum; empty for no limit."))
    anchor_uses_max = _limit(_("Twins with one anchor"), _("Maximum; empty for no limit."))
    trigger_uses_max = models.PositiveIntegerField(
        _("Twins with one trigger"),
        default=10,
        help_text=_("Above this number, writers get the suggestion to use another trigger."),
    )

    class Meta:
        abstract = True


class WriterRequirements(models.Model):
    TITLE = _("Requirements for writers")

    class PastePolicy(models.TextChoices):
        NOTE = "note", _("allowed, its share is recorded")
        BLOCK = "block", _("refused on the writing page")

    exercise_pass_share = ShareField(
        _("Correct answers to pass"),
        default=Decimal("0.80"),
        help_text=_("Minimum share in the test: 0.80 is 80%."),
    )
    exercise_attempts = models.PositiveSmallIntegerField(
        _("Attempts at the test"),
        default=2,
        validators=[MinValueValidator(1)],
        help_text=_("Each attempt is explained."),
    )
    exercise_length = models.PositiveSmallIntegerField(
        _("Items at once"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_(
            "Items of a training, and of an attempt at the test; empty for all. Further items are "
            "for second attempts."
        ),
    )
    twins_per_day_max = _limit(
        _("Twins per writer and day"), _("Maximum in 24 hours; empty for no limit.")
    )
    twins_per_worker_max = _limit(_("Twins per writer"), _("Maximum; empty for no limit."))
    min_approvals = _limit(
        _("Approved tasks"), _("Minimum for a crowd worker; empty for no requirement.")
    )
    min_approval_rate = ShareField(
        _("Approval rate"),
        decimal_places=3,
        null=True,
        blank=True,
        help_text=_("Minimum share for a crowd worker: 0.97 is 97%; empty for no requirement."),
    )
    paste_policy = models.CharField(
        _("Pasting"),
        max_length=16,
        choices=PastePolicy,
        default=PastePolicy.NOTE,
        help_text=_("Curators always see the pasted share."),
    )

    class Meta:
        abstract = True


class Validating(models.Model):
    TITLE = _("Validating")

    class Policy(models.TextChoices):
        MAJORITY = "majority", _("majority (AAAI 2020)")
        UNANIMOUS = "unanimous", _("unanimous (arXiv v1)")

    votes_per_question = models.PositiveSmallIntegerField(
        _("Votes per question"),
        default=3,
        help_text=_("An odd number, so that there is a majority."),
    )
    extra_votes_max = models.PositiveSmallIntegerField(
        _("Extra votes"),
        default=0,
        validators=[MaxValueValidator(6)],
        help_text=_("Maximum number of additional votes if validators disagree: 0 to 6."),
    )
    verdict_policy = models.CharField(
        _("Verdict"),
        max_length=16,
        choices=Policy,
        default=Policy.MAJORITY,
        help_text=_("When a question counts as valid."),
    )
    vote_minutes = models.PositiveSmallIntegerField(
        _("Minutes for a vote"),
        default=3,
        help_text=_(
            "Extended while the page is in use. When the time is over, another validator can "
            "get the question."
        ),
    )
    votes_per_day_max = _limit(
        _("Votes per validator and day"), _("Maximum in 24 hours; empty for no limit.")
    )
    votes_per_worker_max = _limit(_("Votes per validator"), _("Maximum; empty for no limit."))
    gold_share = ShareField(
        _("Control questions"),
        default=Decimal("0"),
        high=Decimal("0.5"),
        help_text=_(
            "Share of a validator’s questions whose answer is known: 0.05 is 5%; 0 for none."
        ),
    )
    gold_pass_share = ShareField(
        _("Correct answers to control questions"),
        default=Decimal("0.70"),
        help_text=_("Minimum share; a validator below it is warned, then paused."),
    )

    class Meta:
        abstract = True


class Splits(models.Model):
    TITLE = _("Splits")

    dev_share = ShareField(
        _("Dev"),
        default=Decimal("0.10"),
        high=Decimal("0.5"),
        help_text=_("Share of the twins that have no split yet: 0.10 is 10%."),
    )
    test_share = ShareField(
        _("Blind test"),
        default=Decimal("0.10"),
        high=Decimal("0.5"),
        help_text=_("As for dev. A twin keeps its split in every release."),
    )
    near_duplicate = ShareField(
        _("Near-duplicates"),
        default=Decimal("0.60"),
        low=Decimal("0.3"),
        help_text=_(
            "Similarity to a blind question from which a release leaves a question out; 1 for none."
        ),
    )

    class Meta:
        abstract = True


class BlockingChecks(models.Model):
    TITLE = _("Blocking checks")

    blocking = models.JSONField(
        _("Blocking checks"),
        default=list,
        blank=True,
        help_text=_(
            "Selected checks stop a twin from being submitted. The others are shown as "
            "suggestions or warnings."
        ),
    )

    class Meta:
        abstract = True


GROUPS = (
    Naming, Pay, People, TwinFormat, Priming, WriterRequirements, Validating, Splits,
    SecondPerson, BlockingChecks,
)  # fmt: skip
