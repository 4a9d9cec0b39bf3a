"""Tables for releases of knowledge sets and their files."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import PublishedFile, PublishedRun, ReferenceSet, Release
from corpora.selectors import releases_visible_to
from knowledge.models.knowledge_sets import KnowledgeSet
from winoplatform.runs.columns import artifact_field
from winoplatform.runs.models import RunQuerySet, RunStatus
from workers.models import User


class KnowledgeReleaseQuerySet(RunQuerySet["KnowledgeRelease"]):
    def live(self) -> Self:
        """Releases that hold their name: all except those that failed or were cancelled."""
        return self.filter(status__in=KnowledgeRelease.LIVE)

    def visible_to(self, user: User) -> Self:
        """All for curators; else those that are done, over questions that the user may see."""
        if user.is_curator:
            return self
        of_all = Q(knowledge_set__release__in=releases_visible_to(user, Release.objects.all()))
        of_all |= Q(knowledge_set__reference_set__in=ReferenceSet.objects.visible_to(user))
        return self.filter(of_all, status=RunStatus.DONE)


class KnowledgeRelease(PublishedRun):
    """The pairs of a knowledge set as files; ids and order reveal no label.

    No question is in it whose label is held back: a statement names the answer.
    """

    knowledge_set = models.ForeignKey(
        KnowledgeSet, on_delete=models.PROTECT, related_name="releases"
    )
    # Recorded before the first file, so a resumed release has the same content.
    frozen = artifact_field(help_text=_("The records of which the files are made."))
    people = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("Who had worked on the set then, as in the manifest."),
    )
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


class KnowledgeReleaseFile(PublishedFile):
    """One file of a knowledge release; which problem is which sentence is restricted."""

    release = models.ForeignKey(KnowledgeRelease, on_delete=models.CASCADE, related_name="files")

    class Meta(PublishedFile.Meta):
        pass
