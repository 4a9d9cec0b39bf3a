"""The table for the load of the starter campaign."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from winoplatform.db.constraints import unique
from winoplatform.runs.columns import done_has, value_constraint
from winoplatform.runs.models import Run, RunStatus


class StarterLoad(Run):
    """The load of the starter campaign; in its progress, a twin weighs as much as several votes.

    It has no recorded steps: what a killed attempt stored is in the campaign's own tables.
    """

    QUEUE = "heavy"  # which is unused until the campaign exists

    campaign = models.ForeignKey(
        Campaign, null=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )

    class Meta(Run.Meta):
        verbose_name = _("starter campaign")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            done_has("campaign"),
            unique(
                "is_asked_for_once",
                ["campaign"],
                "The starter campaign is being loaded already.",
                nulls_distinct=False,
            ),
        ]
