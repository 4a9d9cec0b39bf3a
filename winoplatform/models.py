"""Artifacts: the files that runs produce, named by content hash."""

from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.db.constraints import check


class ArtifactQuerySet(models.QuerySet["Artifact"]):
    def unreferenced(self) -> Self:
        """Artifacts that no row of any table refers to."""
        artifacts = self
        for relation in self.model._meta.get_fields(include_hidden=True):
            if isinstance(relation, models.ManyToOneRel):
                rows = relation.related_model._base_manager  # type: ignore[union-attr]
                artifacts = artifacts.exclude(
                    models.Exists(rows.filter(**{relation.field.name: models.OuterRef("pk")}))
                )
        return artifacts


class Artifact(models.Model):
    """A file in the artifact store, immutable and named by its SHA-256."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    size = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    put_at = models.DateTimeField(
        default=timezone.now, editable=False, help_text=_("When its content was last stored.")
    )

    objects = ArtifactQuerySet.as_manager()

    class Meta:
        constraints = [
            check(
                "sha256_is_hex",
                models.Q(sha256__regex=r"^[0-9a-f]{64}$"),
                "An artifact is named by its SHA-256 in lower-case hex.",
            ),
        ]

    def __str__(self) -> str:
        return self.sha256[:12]

    @property
    def storage_name(self) -> str:
        return f"{self.sha256[:2]}/{self.sha256}"
