"""The table of selections: which questions of a snapshot are kept."""

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from corpora.models.snapshots import Snapshot
from winoplatform.runs.columns import artifact_field, done_has, known
from winoplatform.runs.models import Outcome, RunStatus


class Selection(Outcome):
    """The questions of a snapshot that a run keeps; created and ended together with the run.

    It has the run's id. Facts about the run for a release are stored in ``about`` and
    ``warnings``, so that a release does not depend on kinds of runs.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="selections")
    made_by = models.CharField(max_length=60, help_text=_("Name of the kind of run."))
    kept = artifact_field(help_text=_("Ids of the kept questions, one per line."))
    n_kept = models.PositiveIntegerField(null=True, blank=True, editable=False)
    about = models.JSONField(
        default=dict, editable=False, help_text=_("Provenance, for manifests.")
    )
    warnings = models.JSONField(
        null=True, blank=True, editable=False, help_text=_("Null if nothing was measured.")
    )

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("selection")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            done_has("kept", "n_kept"),
        ]

    def __str__(self) -> str:
        return f"{self.made_by} {self.public_id}"

    @property
    def noun(self) -> str:
        return self.made_by
