"""The filter run that a campaign's curators chose."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from filtering.models.filter_runs import FilterRun


class RunChoice(models.Model):
    """The AFLite run whose results a campaign shows, instead of that of its latest release."""

    campaign = models.OneToOneField(
        Campaign, primary_key=True, on_delete=models.CASCADE, related_name="run_choice"
    )
    run = models.OneToOneField(FilterRun, on_delete=models.PROTECT, related_name="choice")
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    chosen_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("choice of a filter run")
        ordering: ClassVar = ["campaign"]

    def __str__(self) -> str:
        return f"{self.campaign} shows {self.run}"
