"""Curators' pay pages: budget, sums, approval, hourly pay, and one worker's entries."""

from typing import Any

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from collection.core.costs import preview
from collection.models import Campaign
from collection.selectors.crowd import contradicted, without_assignment
from collection.selectors.known_people import known_to, known_worker
from collection.services.campaigns import budget
from collection.services.campaigns import pay as services
from frontend.http import PAY, REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.lookups import campaign_for
from frontend.paging import page_of
from frontend.pay.forms import ApproveForm, CostForm, ExtraPayForm, PayoutForm, VoidForm
from frontend.pay.reads import (
    rates_for_preview,
    sums_by_kind,
    waiting_entries,
    waiting_for_sessions,
    waiting_payouts,
    ways_of_paying,
)
from frontend.sums import column_sums
from validation.selectors.rates import hourly_report
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from workers.models import LedgerEntry, Payout, User

PAYOUTS, ENTRIES, REPORTS, WAITING = 10, 25, 10, 10
COST_WORDS = {
    "twin": gettext_lazy("twins"),
    "vote": gettext_lazy("votes"),
    "extra_vote": gettext_lazy("extra votes, expected"),
    "gold": gettext_lazy("control questions, expected"),
    "training": gettext_lazy("training and test"),
}


@curators_only(needs=PAY)
def campaign_pay(request: PageRequest, slug: str) -> HttpResponse:
    """Show what a campaign owes, has paid and can still spend; ``?worker`` selects a worker."""
    campaign = campaign_for(request.user, slug)
    name = request.GET.get("worker", "").strip()[:32].replace("\x00", "")
    if User.objects.filter(known_to(request.user), public_id=name or "-").exists():
        return redirect("worker-pay", slug, name)
    return _pay(request, campaign, not_found=name)


def _pay(
    request: PageRequest, campaign: Campaign, *, status: int = 200, **more: Any
) -> HttpResponse:
    data = request.GET if "twins" in request.GET else None
    cost_form = CostForm(data, extra_votes_max=campaign.extra_votes_max)
    rows = sums_by_kind(campaign, request.user)
    ways = ways_of_paying(campaign)
    payouts = Payout.objects.filter(budget=campaign.public_id).with_sums()
    payouts = payouts.select_related("second_approval")
    context = {
        "campaign": campaign,
        "budget": budget.state(campaign),
        "cost_form": cost_form,
        "cost": preview(rates_for_preview(campaign), **cost_form.values()),
        "cost_words": COST_WORDS,
        "rows": rows,
        "states": list(LedgerEntry.State),
        "totals": column_sums(rows),
        "approve_form": ApproveForm(),
        "payout_form": PayoutForm(),
        "ways": ways,
        "can_pay": any(way.sum > 0 for way in ways),
        "in_sessions": waiting_for_sessions(campaign),
        "contradicting": page_of(
            contradicted(campaign), request, parameter="reports", size=REPORTS
        ),
        "without_assignment": without_assignment(campaign, timezone.now()),
        "payouts": page_of(payouts, request, parameter="payouts", size=PAYOUTS),
        "waiting": page_of(waiting_entries(campaign), request, parameter="second", size=WAITING),
        "waiting_payouts": waiting_payouts(campaign),
    }
    return render(request, "frontend/pay/pay.html", context | more, status=status)


@curators_only(needs=PAY)
def check(request: PageRequest, slug: str) -> HttpResponse:
    """Show the hourly pay and whether the ledger is reconciled: both read all entries."""
    campaign = campaign_for(request.user, slug)
    rates = hourly_report(campaign)
    context = {
        "campaign": campaign,
        "check": check_ledger(campaign),
        "rates": [(_("writing"), rates.writing), (_("validating"), rates.validating)],
    }
    return show(request, "frontend/pay/pay_check.html", context, part="check")


@curators_only("POST", needs=PAY)
@step_up.with_step_up
def approve(request: PageRequest, slug: str) -> HttpResponse:
    """Approve accrued pay, of all workers or of the given one."""
    campaign = campaign_for(request.user, slug)
    name = request.POST.get("worker", "")
    worker = known_worker(request.user, name) if name else None
    form = ApproveForm(request.POST)
    if not form.is_valid():
        return _pay(request, campaign, status=400, approve_form=form)
    n = services.approve_entries(
        campaign=campaign, by=request.user, worker=worker, until=form.moment()
    )
    message = ngettext("%s entry is approved.", "%s entries are approved.", n) % f"{n:,}"
    messages.success(request, message)
    return redirect("worker-pay", slug, name) if worker else redirect("campaign-pay", slug)


@curators_only("POST", needs=PAY)
@step_up.with_step_up
def new_payout(request: PageRequest, slug: str) -> HttpResponse:
    """Put the approved pay of one provider into a payout."""
    campaign = campaign_for(request.user, slug)
    form = PayoutForm(request.POST)
    if not form.is_valid():
        return _pay(request, campaign, status=400, payout_form=form)
    try:
        payout = services.export_payout(campaign=campaign, by=request.user, **form.cleaned_data)
    except DomainError as refusal:
        return _pay(request, campaign, status=refusal.status, refusal=refusal)
    return redirect("payout", payout.public_id)


@curators_only(needs=PAY)
def worker_pay(request: PageRequest, slug: str, public_id: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug)
    return _worker(request, campaign, known_worker(request.user, public_id))


def _worker(
    request: PageRequest, campaign: Campaign, worker: User, *, status: int = 200, **more: Any
) -> HttpResponse:
    entries = worker.ledger.filter(budget=campaign.public_id)
    written = entries.with_state().select_related("by", "second_approval__by")
    page = page_of(written, request, parameter="pay", size=ENTRIES)
    stateful: Any = entries.with_state().order_by()
    totals = dict(stateful.values_list("state").annotate(Sum("amount")))
    context = {
        "campaign": campaign,
        "worker": worker,
        "entries": page,
        "totals": [(state.label, totals.get(state.value)) for state in LedgerEntry.State],
        "form": ExtraPayForm(),
    }
    return render(request, "frontend/pay/worker_pay.html", context | more, status=status)


@curators_only("POST", needs=PAY)
def give_extra(request: PageRequest, slug: str, public_id: str) -> HttpResponse:
    """Record a bonus or an adjustment for the worker."""
    campaign, worker = campaign_for(request.user, slug), known_worker(request.user, public_id)
    form = ExtraPayForm(request.POST)
    if not form.is_valid():
        return _worker(request, campaign, worker, status=400, form=form)
    try:
        entry = services.write_extra(
            campaign=campaign, worker=worker, by=request.user, **form.cleaned_data
        )
    except REFUSALS as error:
        refusal = refusal_of(error)
        return _worker(request, campaign, worker, status=refusal.status, form=form, refusal=refusal)
    messages.success(request, _("The entry was added. The worker can see it and its reason."))
    if entry.awaits_second_approval:
        messages.info(request, _("Another curator has to approve it before it is paid."))
    return redirect("worker-pay", slug, public_id)


@curators_only("POST", needs=PAY)
def void_entry(request: PageRequest, slug: str, public_id: str) -> HttpResponse:
    """Cancel one of the worker's entries."""
    campaign, worker = campaign_for(request.user, slug), known_worker(request.user, public_id)
    form = VoidForm(request.POST)
    try:
        if not form.is_valid():
            raise DomainError("invalid", _first_error(form))
        services.void_entry(campaign=campaign, worker=worker, by=request.user, **form.cleaned_data)
    except REFUSALS as error:
        refusal = refusal_of(error)
        return _worker(request, campaign, worker, status=refusal.status, refusal=refusal)
    messages.success(request, _("The entry was voided, together with the entry that cancels it."))
    return redirect("worker-pay", slug, public_id)


def _first_error(form: VoidForm) -> str:
    return str(next(iter(form.errors.values()))[0])
