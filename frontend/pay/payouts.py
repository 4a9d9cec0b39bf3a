"""Payouts and second approvals, for curators."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection.exports.payouts import files_of, payout_response
from collection.models import Campaign
from collection.selectors.crowd import contradicted_in, reports_key
from collection.services.campaigns import pay
from frontend.http import PAY, PageRequest, curators_only, existing
from frontend.lookups import campaign_for
from frontend.paging import page_of
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from workers import services
from workers.models import AuditEvent, Payout
from workers.services.audit import audits


@curators_only("POST", needs=PAY)
@step_up.with_step_up
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


@curators_only("POST", needs=PAY)
@step_up.with_step_up
def approve_payout(request: PageRequest, payout_id: uuid.UUID) -> HttpResponse:
    services.approve_payout(payout_id=_visible(request, payout_id).public_id, by=request.user)
    messages.success(request, _("The payout is approved. Its files can be downloaded."))
    return redirect("payout", payout_id)


LINES = 50


def _visible(request: PageRequest, payout_id: uuid.UUID) -> Payout:
    rows = Payout.objects.visible_to(request.user)
    return existing(rows, _("There is no such payout."), public_id=payout_id)


@curators_only(needs=PAY)
def payout(request: PageRequest, payout_id: uuid.UUID) -> HttpResponse:
    return _payout(request, payout_id)


def _payout(
    request: PageRequest,
    payout_id: uuid.UUID,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = (
        Payout.objects.visible_to(request.user)
        .with_sums()
        .select_related("created_by", "ended_by", "second_approval__by")
    )
    payout_row = existing(rows, _("There is no such payout."), public_id=payout_id)
    lines = payout_row.lines.select_related("worker")
    contradicting = list(contradicted_in(payout_row))
    context = {
        "contradicting": contradicting,
        "reports": reports_key(contradicting),
        "payout": payout_row,
        "campaign": Campaign.objects.get(public_id=payout_row.budget),
        "files": [] if payout_row.lacks_second_approval else files_of(payout_row),
        "is_own": payout_row.created_by == request.user,
        "lines": page_of(lines, request, parameter="lines", size=LINES),
        "refusal": refusal,
    }
    return render(request, "frontend/pay/payout.html", context, status=status)


@audits(AuditEvent.Kind.PAY_FILE)
@curators_only(needs=PAY)
def payout_file(request: PageRequest, payout_id: uuid.UUID, name: str) -> HttpResponse:
    return payout_response(_visible(request, payout_id), name, request.user)  # type: ignore[return-value]


@curators_only("POST", needs=PAY)
@step_up.with_step_up
def mark_paid(request: PageRequest, payout_id: uuid.UUID) -> HttpResponse:
    try:
        confirmed = request.POST.get("reports", "") if "confirmed" in request.POST else ""
        pay.mark_paid(
            payout_id=_visible(request, payout_id).public_id, by=request.user, reports=confirmed
        )
    except DomainError as refusal:
        return _payout(request, payout_id, refusal=refusal, status=refusal.status)
    messages.success(request, _("The payout is marked as paid."))
    return redirect("payout", payout_id)


@curators_only("POST", needs=PAY)
def cancel(request: PageRequest, payout_id: uuid.UUID) -> HttpResponse:
    try:
        services.cancel_payout(payout_id=_visible(request, payout_id).public_id, by=request.user)
    except DomainError as refusal:
        return _payout(request, payout_id, refusal=refusal, status=refusal.status)
    messages.success(request, _("The payout is cancelled; its entries are approved again."))
    return redirect("payout", payout_id)
