"""Tables for releases and their files."""

import secrets
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models.selections import Selection
from corpora.models.snapshots import Snapshot
from winoplatform.constraints import unique
from winoplatform.models import Artifact
from winoplatform.runs.columns import done_has, known
from winoplatform.runs.models import Run, RunQuerySet, RunStatus


def new_key() -> str:
    return secrets.token_hex(32)


class ReleaseQuerySet(RunQuerySet["Release"]):
    def live(self) -> Self:
        """Releases that hold their name: all except those that failed or were cancelled."""
        return self.filter(status__in=Release.LIVE)

    def named(self, name: str) -> "Release | None":
        """Return the release that holds *name*; if there is none, the last one that had it."""
        rows = self.filter(name=name)
        return rows.live().first() or rows.order_by("-pk").first()


class Release(Run):
    """A snapshot, or a selection of it, in the stored splits (``Draw``); ids reveal no label.

    A release that is done keeps its name permanently. Until then only one release at a time can
    hold a name; it is free again if that release fails or is cancelled.
    """

    INPUT = "snapshot"
    ALSO_NEEDS = ("selection",)
    LIVE: ClassVar = (*Run.OPEN, RunStatus.DONE)

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="releases")
    selection = models.ForeignKey(
        Selection,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="releases",
        help_text=_("Without one, every question of the snapshot is published."),
    )
    name = models.SlugField()
    # The key can be used to undo the shuffling of ids and options, so it is never shown.
    key = models.CharField(max_length=64, default=new_key, editable=False)
    content_hash = models.CharField(max_length=64, null=True, blank=True, editable=False)  # noqa: DJ001

    objects = ReleaseQuerySet.as_manager()  # type: ignore[misc]  # the base has its own

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("release")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            done_has("content_hash"),
            unique(
                "name_is_held_once",
                ["name"],
                "A release with this name already exists. Choose another name.",
                condition=Q(status__in=(*Run.OPEN, RunStatus.DONE)),
                violation_error_code="unique",
            ),
        ]

    @property
    def n_kept(self) -> int | None:
        """Questions to publish, including those that will be withheld; None if not yet known."""
        return self.snapshot.n_questions if self.selection is None else self.selection.n_kept

    @property
    def holds_name(self) -> bool:
        return self.status in self.LIVE


class ReleaseFile(models.Model):
    """One file of a release; only curators may read restricted files (blind labels)."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=60)
    rows = models.PositiveIntegerField()
    restricted = models.BooleanField(default=False)
    artifact = models.ForeignKey(Artifact, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [unique("name_is_unique", ["release", "name"])]

    def __str__(self) -> str:
        return self.name
