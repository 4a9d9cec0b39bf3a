"""Second approvals of large pay, by a curator other than its writer."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from frontend.http import PageRequest, curators_only
from frontend.lookups import campaign_for
from winoplatform.http import step_up
from workers import services


@curators_only("POST")
@step_up.asked
def approve_extra(request: PageRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug)
    services.approve_extra(
        budget=campaign.public_id,
        kind=request.POST.get("kind", "")[:16].replace("\x00", ""),
        unit=request.POST.get("unit", "")[:64].replace("\x00", ""),
        by=request.user,
    )
    messages.success(request, _("The entry is approved by a second curator."))
    return redirect("campaign-pay", slug)


@curators_only("POST")
@step_up.asked
def approve_payout(request: PageRequest, payout_id: uuid.UUID) -> HttpResponse:
    services.approve_payout(payout_id=payout_id, by=request.user)
    messages.success(request, _("The payout is approved. Its files can be downloaded."))
    return redirect("payout", payout_id)
