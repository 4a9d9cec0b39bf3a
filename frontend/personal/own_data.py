"""A person's own data: what is kept, why and how long, and all of it as a file."""

from typing import cast

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from collection.models import Campaign
from frontend.http import PageRequest, signed_in
from winoplatform.personal.exporting import exported
from winoplatform.personal.places import PLACES, how_long, period_of
from winoplatform.processes import pools
from workers.exports import own_data_response

CONTACTS = 20


@never_cache
@signed_in()
def own_data(request: PageRequest) -> HttpResponse:
    visible = Campaign.objects.visible_to(request.user).with_guidelines().order_by("name")
    versions = [(campaign.name, campaign.guideline) for campaign in visible[:CONTACTS]]
    context = {
        "holdings": [(holding, period_of(holding)) for holding in exported()],
        "places": [(place, how_long(place)) for place in PLACES],
        "contacts": [
            (name, version.contact) for name, version in versions if version and version.contact
        ],
        "backups": settings.KEEP_BACKUPS_DAYS,
    }
    return render(request, "frontend/personal/own_data.html", context)


@never_cache
@signed_in()
def own_data_file(request: PageRequest) -> HttpResponse:
    """Send everything that is kept about who asks."""
    pools.hold(request, pools.DOWNLOADS)
    return cast(HttpResponse, own_data_response(request.user))
