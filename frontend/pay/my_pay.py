"""A worker's own pay: accrued, approved and paid."""

from decimal import Decimal

from django.db.models import Sum
from django.http import HttpResponse
from django.shortcuts import render

from collection.models import Campaign
from collection.selectors.pay import paid_by_platform
from frontend.earnings import pay_lines
from frontend.http import PageRequest, signed_in
from frontend.paging import page_of
from frontend.pay.forms import StatementForm
from frontend.pay.reads import earned, state_words
from workers.exports import statement_response
from workers.models.ledger import LedgerQuerySet
from workers.selectors import balances, statement_entries, statement_lines

ENTRIES = 25


@signed_in()
def my_pay(request: PageRequest) -> HttpResponse:
    """Show the worker's statement, optionally limited to one campaign or some days."""
    form = StatementForm(request.GET, worker=request.user)
    entries = statement_entries(request.user, **form.arguments())
    page = page_of(
        entries.with_state().annotate(is_by_platform=paid_by_platform()),
        request,
        parameter="pay",
        size=ENTRIES,
    )
    # What a crowd platform pays by its own reward is nothing that the campaign still owes.
    sums = balances(entries.filter(~paid_by_platform()))
    names = dict(Campaign.objects.values_list("public_id", "name"))
    wanted = request.GET.copy()
    wanted.pop("pay", None)
    context = {
        "form": form,
        "balances": [(names.get(row.budget, ""), row) for row in sums],
        "earned": earned(sums),
        "page": page,
        "lines": pay_lines(page.rows),
        "by_platform": _by_platform(entries),
        "names": names,
        "states": state_words(),
        "wanted": wanted.urlencode(),
    }
    return render(request, "frontend/pay/my_pay.html", context)


def _by_platform(entries: LedgerQuerySet) -> list[tuple[str, Decimal]]:
    """Return the sums that a crowd platform pays, by currency."""
    rows = entries.filter(paid_by_platform()).order_by("currency").values_list("currency")
    return list(rows.annotate(Sum("amount")))


@signed_in()
def my_pay_file(request: PageRequest) -> HttpResponse:
    """Return the same statement as a file, with every entry."""
    entries = statement_entries(
        request.user, **StatementForm(request.GET, worker=request.user).arguments()
    )
    names = dict(Campaign.objects.values_list("public_id", "name"))
    lines = statement_lines(entries, reader=request.user, names=names)
    return statement_response(lines, request.user)  # type: ignore[return-value]  # streamed
