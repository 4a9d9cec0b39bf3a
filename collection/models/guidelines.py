"""Guidelines, consent, and the items of exercises."""

import uuid
from typing import ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models.campaigns import Campaign
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from workers.models import Qualification, User

TERMS = ("asked_by", "contact", "monitoring", "data_use")
"""What a version says in words besides the work itself."""
IN_VERSION = (*TERMS, "shows_user_names")
"""What a version decides besides the texts about the work."""


class Guideline(models.Model):
    """One version of what a campaign's people accept: guidelines, and who asks for which data.

    It never changes, and the newest one applies.
    """

    public_id = models.UUIDField(
        default=uuid.uuid4, db_default=RandomUUID(), unique=True, editable=False
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="guideline_set")
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True, help_text=_("Markdown, shown to writers and validators."))
    aids_policy = models.TextField(
        blank=True,
        help_text=_("Markdown: which writing aids are allowed. Writers accept it with the rest."),
    )
    asked_by = models.CharField(
        _("Who asks"), max_length=200, blank=True, help_text=_("The people and the institution.")
    )
    contact = models.CharField(
        _("Whom to ask"), max_length=200, blank=True, help_text=_("A name and an address.")
    )
    monitoring = models.TextField(
        _("What is recorded"),
        blank=True,
        help_text=_("Markdown: what the platform counts and times while people work."),
    )
    data_use = models.TextField(
        _("What happens with the data"),
        blank=True,
        help_text=_("Markdown: who sees it, what is published, and under which name."),
    )
    shows_user_names = models.BooleanField(
        _("Curators see user names"),
        default=False,
        db_default=False,
        help_text=_(
            "Of those who accept this version; of everybody else, curators see a pseudonym."
        ),
    )
    created_by = optional(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["campaign", "-version"]
        constraints: ClassVar = [
            unique(
                "is_numbered",
                ["campaign", "version"],
                "The campaign already has this version of its guidelines.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, guidelines {self.version}"


class ConsentQuerySet(models.QuerySet["Consent"]):
    def active(self) -> Self:
        return self.filter(withdrawn_at=None)


class Consent(models.Model):
    """A worker's consent to one version of the guidelines, for one kind of work.

    Writers and validators read different parts of a version (``core/guidelines.py``). A consent is
    active until it is withdrawn; given again, it is another row.
    """

    public_id = models.UUIDField(
        default=uuid.uuid4, db_default=RandomUUID(), unique=True, editable=False
    )
    worker = reference(User, "consents")
    guideline = reference(Guideline, "consents")
    skill = models.CharField(
        max_length=16, choices=Qualification.Skill, default=Qualification.Skill.WRITE
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ConsentQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            unique(
                "is_given_once",
                ["worker", "guideline", "skill"],
                "You have already accepted these guidelines.",
                condition=Q(withdrawn_at=None),
            ),
            check(
                "is_withdrawn_after_it_is_given",
                Q(withdrawn_at=None) | Q(withdrawn_at__gte=models.F("created_at")),
                "A consent cannot be withdrawn before it is given.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker.public_id} accepts {self.guideline}"


class ExerciseItemQuerySet(models.QuerySet["ExerciseItem"]):
    def current(self, campaign: Campaign, skill: str, part: str = "test") -> Self:
        """The current items of the test or training, in order."""
        rows = self.filter(campaign=campaign, skill=skill, part=part, retired_at=None)
        return rows.order_by("number")


class ExerciseItem(models.Model):
    """One question of a campaign's exercise, with the explanation shown after an attempt.

    An item never changes: a new exercise retires the items of the old one, so that old attempts can
    still be explained. Items of the training are explained at once and have no consequences; those
    of the test decide who passes.
    """

    class Part(models.TextChoices):
        TRAINING = "training", _("training")
        TEST = "test", _("test")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="exercise")
    skill = models.CharField(
        max_length=16, choices=Qualification.WITH_ITEMS, default=Qualification.Skill.WRITE
    )
    part = models.CharField(max_length=16, choices=Part, default=Part.TEST)
    number = models.PositiveSmallIntegerField()
    prompt = models.TextField(help_text=_("Markdown."))
    choices = ArrayField(models.CharField(max_length=300))
    answer = models.PositiveSmallIntegerField(help_text=_("The right choice, from 1."))
    explanation = models.TextField(help_text=_("Markdown: why the right choice is right."))
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Never sent: it seeds the order of the choices, and the stored order may reveal the answer.
    order_key = models.UUIDField(default=uuid.uuid4, editable=False)

    objects = ExerciseItemQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["campaign", "skill", "part", "number"]
        constraints: ClassVar = [
            unique(
                "is_numbered",
                ["campaign", "skill", "part", "number"],
                "The exercise already has an item with this number.",
                condition=Q(retired_at=None),
            ),
            check(
                "answer_is_a_choice",
                Q(choices__len__gte=2, answer__gte=1) & Q(answer__lte=models.F("choices__len")),
                "An item must have at least two choices, one of them the answer.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, item {self.number}"


class Attribute(models.Model):
    """One row of the attribute table: an attribute and its contrasting trigger words."""

    class Domain(models.TextChoices):
        SOCIAL = "social", _("people")
        PHYSICAL = "physical", _("things")
        BOTH = "both", _("both")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="attributes")
    name = models.CharField(max_length=60)
    domain = models.CharField(max_length=16, choices=Domain, default=Domain.BOTH)
    pairs = models.JSONField(default=list, help_text=_("Pairs of contrasting words or phrases."))

    class Meta:
        ordering: ClassVar = ["campaign", "name"]
        constraints: ClassVar = [
            unique("is_named_once", ["campaign", "name"], "The table already has this attribute."),
        ]

    def __str__(self) -> str:
        return self.name
