"""What writers write: twins and their questions."""

import secrets
import uuid
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models.articles import Assignment
from collection.models.campaigns import Campaign
from collection.models.expressions import ContentWords, SentenceKey
from winoplatform.constraints import check, unique


def new_question_id() -> str:
    """Return a random id: neither order nor ending says anything about the answer."""
    return secrets.token_hex(8)


class TwinQuerySet(models.QuerySet["Twin"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.filter(author=user)

    def active(self) -> Self:
        """Twins that their authors have not withdrawn."""
        return self.filter(withdrawn_at=None)


class Twin(models.Model):
    """Two questions that differ in their trigger, or one question whose twin is missing.

    An unpaired question (published sets hold many) is a twin with one question.

    ::

        submitted ──withdraw, or revise (makes a new twin)──▶ withdrawn
            └──first vote──▶ validated: the text stands for good
    """

    class Domain(models.TextChoices):
        SOCIAL = "social", _("social")
        PHYSICAL = "physical", _("physical")
        UNKNOWN = "unknown", _("not stated")

    class Origin(models.TextChoices):
        AUTHORED = "authored", _("written here, validated here")
        PUBLISHED = "published", _("published elsewhere, validated there")

    class SourceSplit(models.TextChoices):
        TRAIN = "train", "train"
        DEV = "dev", "dev"
        TEST = "test", "test"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="twins")
    assignment = models.ForeignKey(
        Assignment, null=True, blank=True, on_delete=models.PROTECT, related_name="twins"
    )
    revises = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="revised_by"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="twins",
    )
    client_key = models.UUIDField(
        null=True, blank=True, help_text=_("Made by the client; the same key gives the same twin.")
    )
    origin = models.CharField(max_length=16, choices=Origin, default=Origin.AUTHORED)
    source_id = models.CharField(max_length=200, blank=True)
    source_split = models.CharField(
        max_length=5,
        choices=SourceSplit,
        blank=True,
        db_default="",
        default="",
        editable=False,
        help_text=_("The split of the file it was imported from, where that was said."),
    )
    domain = models.CharField(max_length=16, choices=Domain, default=Domain.UNKNOWN)
    anchor = models.CharField(max_length=120, blank=True)
    option1 = models.CharField(max_length=120)
    option2 = models.CharField(max_length=120)
    trigger = models.JSONField(
        default=dict, blank=True, help_text=_("The words that differ: first, second.")
    )
    warnings = models.JSONField(
        default=list, blank=True, help_text=_("Codes of the rules and advice that warned.")
    )
    advice = models.JSONField(
        default=list,
        blank=True,
        help_text=_("What the writer was advised, with number and example."),
    )
    anchor_key = models.CharField(
        max_length=120, blank=True, db_default="", default="", editable=False
    )
    trigger_key = models.CharField(
        max_length=300, blank=True, db_default="", default="", editable=False
    )
    cues = ArrayField(
        models.TextField(),
        blank=True,
        db_default=[],
        default=list,
        editable=False,
        help_text=_("What its trigger words say of its answers; see core/advice/cues.py."),
    )
    fingerprint = models.CharField(
        max_length=64,
        blank=True,
        db_default="",
        default="",
        editable=False,
        help_text=_("Of the sentences of a twin written here; see core/fingerprints.py."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TwinQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            unique(
                "is_submitted_once", ["author", "client_key"], "This twin was submitted already."
            ),
            unique(
                "is_imported_once",
                ["campaign", "source_id"],
                "The campaign has this twin already.",
                condition=~Q(source_id=""),
            ),
            unique(
                "is_written_once",
                ["campaign", "fingerprint"],
                "The campaign has these very sentences already.",
                condition=~Q(fingerprint="") & Q(withdrawn_at=None),
            ),
            unique(
                "is_one_per_assignment",
                ["assignment"],
                "A twin was submitted for this assignment already.",
                condition=Q(withdrawn_at=None),
            ),
            check("options_differ", ~Q(option1=F("option2")), "The two options must differ."),
            check(
                "authored_has_an_author",
                ~Q(origin="authored") | Q(author__isnull=False),
                "A twin written here has an author.",
            ),
            check(
                "source_split_is_known",
                Q(source_split__in=["", "train", "dev", "test"]),
                "The split of a file is train, dev or test.",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="collection_twin_anchor",
                fields=["campaign", "anchor_key"],
                condition=~Q(anchor_key="") & Q(withdrawn_at=None),
            ),
            models.Index(
                name="collection_twin_trigger",
                fields=["campaign", "trigger_key"],
                condition=~Q(trigger_key="") & Q(withdrawn_at=None),
            ),
            GinIndex(name="collection_twin_cues", fields=["cues"], condition=Q(withdrawn_at=None)),
            models.Index(
                name="collection_twin_author", fields=["author", "campaign", "created_at"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.option1} / {self.option2}"

    @property
    def options(self) -> tuple[str, str]:
        return self.option1, self.option2


class QuestionQuerySet(models.QuerySet["Question"]):
    def in_campaign(self, campaign: Campaign) -> Self:
        """The questions of a campaign, but for those of twins that were withdrawn."""
        return self.filter(twin__campaign=campaign, twin__withdrawn_at=None)


class Question(models.Model):
    """One sentence with a blank; its answer is 1 or 2 of the twin's options."""

    public_id = models.CharField(
        max_length=32, unique=True, default=new_question_id, editable=False
    )
    twin = models.ForeignKey(Twin, on_delete=models.PROTECT, related_name="questions")
    number = models.PositiveSmallIntegerField()
    sentence = models.TextField()
    answer = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            unique(
                "has_one_place_in_its_twin",
                ["twin", "number"],
                "The twin has this question already.",
            ),
            unique(
                "answers_are_opposite",
                ["twin", "answer"],
                "The answers of two twins must be opposite.",
            ),
            check(
                "number_and_answer_are_1_or_2",
                Q(number__in=[1, 2], answer__in=[1, 2]),
                "Number and answer are 1 or 2.",
            ),
        ]
        indexes: ClassVar = [
            GinIndex(
                OpClass(ContentWords("sentence"), name="gin_trgm_ops"),
                name="collection_question_trigram",
            ),
            models.Index(SentenceKey("sentence"), name="collection_question_key"),
        ]

    def __str__(self) -> str:
        return self.sentence


class Provenance(models.Model):
    """How the text of a twin came into the page: evidence for curators, never a penalty.

    Counted by the page as its writer works, so a program's twin has none. ``largest_insert`` is
    the longest run of characters that came at once, pasted or not.
    """

    twin = models.OneToOneField(Twin, on_delete=models.CASCADE, related_name="provenance")
    guideline = models.ForeignKey(
        "collection.Guideline",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("The version that the writer had accepted."),
    )
    typed_characters = models.PositiveIntegerField(default=0)
    pasted_characters = models.PositiveIntegerField(default=0)
    largest_insert = models.PositiveIntegerField(default=0)
    edits = models.PositiveIntegerField(default=0)
    active_seconds = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"provenance of {self.twin_id}"
