"""Tables for imported benchmarks, which never change."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core.repeats import Repeats
from winoplatform.db.columns import reference
from winoplatform.db.constraints import unique
from winoplatform.models import Artifact
from workers.models import User


class ReferenceSetQuerySet(models.QuerySet["ReferenceSet"]):
    def visible_to(self, user: User) -> Self:
        """Public sets; for curators also their own and shared ones; none for participants."""
        if user.is_participant:
            return self.none()
        if not user.is_curator:
            return self.filter(is_public=True)
        if user.role == User.Role.ADMIN:
            return self
        return self.filter(Q(is_public=True) | Q(is_shared=True) | ReferenceSet.own(user))


class ReferenceSet(models.Model):
    """Items with named splits, independent of campaigns; they never change after the import."""

    name = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    licence = models.CharField(max_length=200, blank=True)
    people_origin = models.CharField(
        max_length=16,
        choices=User.Origin,
        default=User.Origin.IMPORTED,
        db_default=User.Origin.IMPORTED,
        editable=False,
        help_text=_("Simulated, if it has a text of simulated people of this platform."),
    )
    source = models.TextField(blank=True, help_text=_("Where it comes from, and how to cite it."))
    revises = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="revisions",
        help_text=_("The version before, whose keys this one corrects."),
    )
    erratum = models.CharField(
        max_length=1000,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text=_("What it corrects, and who found it."),
    )
    is_public = models.BooleanField(
        default=False,
        help_text=_("Whether all signed-in users may see it."),
    )
    is_shared = models.BooleanField(
        default=False,
        db_default=False,
        help_text=_("Whether all curators may use it; otherwise only who imported it."),
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ReferenceSetQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def own(user: User) -> Q:
        """Select sets that *user* may change: own ones and those imported by a command."""
        if user.role == User.Role.ADMIN:
            return ~Q(pk__in=[])
        return Q(created_by=user) | Q(created_by=None)


class ReferenceSplit(models.Model):
    """The items of one split: canonical JSON lines, in the order of the published file."""

    reference_set = models.ForeignKey(ReferenceSet, on_delete=models.CASCADE, related_name="splits")
    name = models.SlugField()
    items = reference(Artifact)
    n_items = models.PositiveIntegerField()
    n_groups = models.PositiveIntegerField()
    n_labelled = models.PositiveIntegerField(help_text=_("Items whose answer is known."))
    repeats = models.JSONField(
        null=True,
        editable=False,
        help_text=_("How many items repeat another one, in all and by answer."),
    )

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [unique("name_is_unique", ["reference_set", "name"])]

    def __str__(self) -> str:
        return f"{self.reference_set}/{self.name}"

    @property
    def warning(self) -> str:
        """What an import says of items that contradict another one; empty if none does."""
        sentence = Repeats(**self.repeats).warning("items") if self.repeats else ""
        return sentence and f"{self}: {sentence}"
