"""Knowledge sets, their lexicon and their releases."""

import uuid
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import NONE, Campaign, of_member
from corpora.models import (
    PUBLIC,
    PublishedFile,
    PublishedRun,
    PublishedRunQuerySet,
    ReferenceSet,
    Release,
)
from panels.models import Panel
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from winoplatform.db.money import AmountField
from winoplatform.runs.columns import artifact_field, recorded_json
from winoplatform.runs.models import Run
from workers.models import Qualification, User

MOST_EXERCISES = 10


class KnowledgeSetQuerySet(models.QuerySet["KnowledgeSet"]):
    def visible_to(self, user: Any) -> Self:
        """Sets over what *user* may see, and those with paid work.

        That is the name, the title and what it is over; what is in the set has its own rules.
        """
        over = Q(release__in=Release.objects.visible_to(user))
        if isinstance(user, User):
            over |= Q(reference_set__in=ReferenceSet.objects.visible_to(user))
            campaigns = Campaign.objects.visible_to(user)
            over |= Q(formalisation_reward__isnull=False, campaign__in=campaigns)
        return self.filter(over | KnowledgeSet.of_member(user))

    def curated_by(self, user: Any) -> Self:
        """Sets whose whole content *user* may read and change."""
        return self.filter(KnowledgeSet.of_member(user))

    def formalised_by(self, user: Any) -> Self:
        """Those that *user* may formalise questions of.

        Curators may in all; workers in those that pay for it, with the qualification of the
        campaign that pays.
        """
        if not isinstance(user, User):
            return self.none()
        if user.is_curator:
            return self.curated_by(user)
        passed = Qualification.objects.filter(
            worker=user,
            skill=Qualification.Skill.FORMALISE,
            status=Qualification.Status.PASSED,
        )
        scopes = passed.values("scope")
        return self.filter(campaign__public_id__in=scopes, formalisation_reward__isnull=False)


class KnowledgeSet(models.Model):
    """Formulas and sentences about questions that have answers.

    A sentence names the answer, so what is said of a question whose label its release holds back
    is for curators alone.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    release = optional(Release, "knowledge_sets")
    reference_set = optional(ReferenceSet, "knowledge_sets")
    campaign = optional(
        Campaign,
        "knowledge_sets",
        help_text=_("Pays for work on this set, in its currency; without one, none is paid."),
    )
    formalisation_reward = AmountField(
        max_digits=8,
        is_pay=True,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_(
            "What a worker is paid for each question whose formalisation is verified; "
            "without an amount, workers do not formalise."
        ),
    )
    panel = models.OneToOneField(
        Panel,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="knowledge_set",
        help_text=_("Annotators who validate the sentences, which no longer change."),
    )
    exercise = ArrayField(
        models.CharField(max_length=200),
        default=list,
        blank=True,
        size=MOST_EXERCISES,
        help_text=_(
            "Questions that a worker formalises, without pay, to qualify for this set’s "
            "campaign; the prover marks them."
        ),
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = KnowledgeSetQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("knowledge set")
        constraints: ClassVar = [
            check(
                "is_over_one_set",
                Q(release__isnull=True, reference_set__isnull=False)
                | Q(release__isnull=False, reference_set__isnull=True),
                "A knowledge set is over a release or over a reference set.",
            ),
            check(
                "pays_no_less_than_zero",
                Q(formalisation_reward=None) | Q(formalisation_reward__gte=0),
                "An amount cannot be negative.",
            ),
            check(
                "paid_work_has_a_payer",
                Q(formalisation_reward=None) | Q(campaign__isnull=False),
                "Name the campaign that pays for formalised questions.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        """Select those over releases of a member's campaigns, and over sets that the user sees.

        One over a reference set belongs to the campaign that pays for it; without one, to who made
        it.
        """
        if not (isinstance(user, User) and user.is_curator):
            return NONE
        sets = Q((f"{path}reference_set__in", ReferenceSet.objects.visible_to(user)))
        payer = of_member(user, f"{path}campaign")
        payer |= Q((f"{path}campaign", None)) & Run.own(user, path)
        return Release.of_member(user, f"{path}release__") | (sets & payer)


class LexiconEntry(models.Model):
    """The words of a predicate or an action in a set's sentences."""

    knowledge_set = models.ForeignKey(
        KnowledgeSet, on_delete=models.CASCADE, related_name="lexicon"
    )
    name = models.CharField(max_length=80, help_text=_("Of the predicate or action."))
    positive = models.CharField(
        max_length=200,
        help_text=_(
            "Such as “{x is|are} strong enough”; of an action “possible for {x} to lift {y}”."
        ),
    )
    negative = models.CharField(
        max_length=200, blank=True, help_text=_("The opposite; empty for an action.")
    )

    class Meta:
        ordering: ClassVar = ["name"]
        verbose_name_plural = "lexicon entries"
        constraints: ClassVar = [
            unique("name_is_unique", ["knowledge_set", "name"], "A name has its words once.")
        ]

    def __str__(self) -> str:
        return self.name


class KnowledgeReleaseQuerySet(PublishedRunQuerySet["KnowledgeRelease"]):
    def visible_to(self, user: User) -> Self:
        """Those of sets that *user* curates; else public ones, over questions the user may see."""
        of_all = Q(knowledge_set__release__in=Release.objects.visible_to(user))
        of_all |= Q(knowledge_set__reference_set__in=ReferenceSet.objects.visible_to(user))
        return self.filter((of_all & PUBLIC) | KnowledgeRelease.of_member(user))


class KnowledgeRelease(PublishedRun):
    """The pairs of a knowledge set as files; ids and order reveal no label.

    No question is in it whose label is held back: a statement names the answer.
    """

    knowledge_set = reference(KnowledgeSet, "releases")
    is_public = models.BooleanField(
        default=True,
        db_default=True,
        help_text=_("Whether those who may see its questions can read it; else members alone."),
    )
    # Recorded before the first file, so a resumed release has the same content.
    frozen = artifact_field(help_text=_("The records of which the files are made."))
    people = recorded_json(_("Who had worked on the set then, as in the manifest."))
    problems = artifact_field(help_text=_("Parquet: the problems in all variants."))
    n_pairs = models.PositiveIntegerField(null=True, blank=True, editable=False)
    n_valid = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("Pairs of two valid problems; null if nobody validated the set."),
    )

    objects = KnowledgeReleaseQuerySet.as_manager()  # type: ignore[misc]  # the base has its own

    class Meta(PublishedRun.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("knowledge release")
        constraints: ClassVar = PublishedRun.rules("problems", "n_pairs")

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        return KnowledgeSet.of_member(user, f"{path}knowledge_set__")

    @property
    def campaign(self) -> Campaign | None:
        over = self.knowledge_set.release
        return self.knowledge_set.campaign if over is None else over.campaign


class KnowledgeReleaseFile(PublishedFile):
    """One file of a knowledge release; which problem is which sentence is restricted."""

    release = models.ForeignKey(KnowledgeRelease, on_delete=models.CASCADE, related_name="files")

    class Meta(PublishedFile.Meta):
        pass
