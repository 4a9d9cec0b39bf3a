"""The table of snapshots: fixed copies of a campaign's questions."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from winoplatform.db.constraints import unique
from winoplatform.runs.columns import artifact_field, done_has, known
from winoplatform.runs.models import Run, RunStatus


class Snapshot(Run):
    """A copy of a campaign's questions that were valid when it was requested.

    Canonical JSON lines, sorted by id. The transaction that stores the file determines its
    content.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="snapshots")
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
    repeats = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text=_(
            "How many valid questions repeat another one, in all and by answer, and how many of "
            "them were left out."
        ),
    )

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("snapshot")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            done_has("questions", "n_questions", "n_pairs"),
            unique(
                "is_open_once_per_campaign",
                ["campaign", "without_writers"],
                "A snapshot of this campaign is under way already; use it, or wait for its end.",
                condition=Q(status__in=Run.OPEN),
            ),
        ]
