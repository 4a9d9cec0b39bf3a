"""Choose the filter run whose results a campaign shows."""

import uuid
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from filtering import services
from frontend.http import PageRequest, curators_only
from frontend.lookups import campaign_for, find_filter_run
from frontend.runs.views import changed


@curators_only("POST")
def choose_run(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Let the campaign of a filter run show its results."""
    choose = partial(services.choose_run, run=find_filter_run(public_id), by=request.user)
    return changed(request, choose, _("The campaign now shows the results of this run."))


@curators_only("POST")
def show_latest_release(request: PageRequest, slug: str) -> HttpResponse:
    """Let a campaign show the run of its latest release again."""
    services.show_latest_release(campaign=campaign_for(request.user, slug))
    messages.success(request, _("The campaign now shows the run of its latest release."))
    return redirect("campaign", slug)
