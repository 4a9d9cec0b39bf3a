"""Snapshots, fixed copies of a campaign's questions, and selections of them."""

import uuid
from typing import Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, of_member
from winoplatform.db.columns import reference
from winoplatform.db.constraints import unique
from winoplatform.runs.columns import artifact_field, done_has, recorded_json, value_constraint
from winoplatform.runs.models import Outcome, Run, RunStatus


class Snapshot(Run):
    """A copy of a campaign's questions that were valid when it was requested.

    Canonical JSON lines, sorted by id. The transaction that stores the file determines its
    content.
    """

    campaign = reference(Campaign, "snapshots")
    without_repeats = models.BooleanField(
        default=False,
        help_text=_("Leave out twins of which a question repeats one of another twin; one stays."),
    )
    # Primary keys of accounts: a name would outlive the account's.
    without_writers = ArrayField(
        models.BigIntegerField(),
        default=list,
        db_default=[],
        blank=True,
        help_text=_("Leave out the twins of these writers."),
    )
    questions = artifact_field()
    n_questions = models.PositiveIntegerField(null=True, blank=True, editable=False)
    n_pairs = models.PositiveIntegerField(null=True, blank=True, editable=False)
    repeats = recorded_json(
        _(
            "How many valid questions repeat another one, in all and by answer, and how many of "
            "them were left out."
        )
    )

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("snapshot")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            done_has("questions", "n_questions", "n_pairs"),
            unique(
                "is_open_once_per_campaign",
                ["campaign", "without_writers"],
                "A snapshot of this campaign is under way already; use it, or wait for its end.",
                condition=Q(status__in=Run.OPEN),
            ),
        ]

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        return of_member(user, f"{path}campaign")


class SelectionQuerySet(models.QuerySet["Selection"]):
    def visible_to(self, user: Any) -> Self:
        """Those of the snapshots of a member's campaigns."""
        return self.filter(Snapshot.of_member(user, "snapshot__"))


class Selection(Outcome):
    """The questions of a snapshot that a run keeps; created and ended together with the run.

    It has the run's id. Facts about the run for a release are stored in ``about`` and
    ``warnings``, so that a release does not depend on kinds of runs.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    snapshot = reference(Snapshot, "selections")
    made_by = models.CharField(max_length=60, help_text=_("Name of the kind of run."))
    kept = artifact_field(help_text=_("Ids of the kept questions, one per line."))
    n_kept = models.PositiveIntegerField(null=True, blank=True, editable=False)
    about = models.JSONField(
        default=dict, editable=False, help_text=_("Provenance, for manifests.")
    )
    warnings = recorded_json(_("Null if nothing was measured."))

    objects = SelectionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("selection")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            done_has("kept", "n_kept"),
        ]

    def __str__(self) -> str:
        return f"{self.made_by} {self.public_id}"

    @property
    def noun(self) -> str:
        return self.made_by
