"""Imported reasons for answers, with filters."""

from typing import Any

from django.db.models import F, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from frontend.http import PageRequest, curators_only
from frontend.paging import page_of
from knowledge.core.reasons import TYPES, Flag, Validity
from knowledge.models import Reason

REASONS = 50
VALIDITY: dict[str, Any] = {
    Validity.VALID.value: _("valid"),
    Validity.INVALID.value: _("invalid"),
    Validity.UNDECIDED.value: _("undecided"),
}
FLAGS: dict[str, Any] = {
    Flag.CIRCULAR.value: _("circular"),
    Flag.IRRELEVANT.value: _("irrelevant"),
    Flag.CONTRADICTING.value: _("contradicting"),
}
# Shares from 0.8 on, and up to 0.2, in whole numbers.
IS_VALID, IS_INVALID = Q(five__gte=4 * F("n_votes")), Q(five__lte=F("n_votes"))
SHARES = {
    Validity.VALID.value: IS_VALID,
    Validity.INVALID.value: IS_INVALID,
    Validity.UNDECIDED.value: ~IS_VALID & ~IS_INVALID,
}


@curators_only()
def reasons(request: PageRequest) -> HttpResponse:
    """List reasons; ``?validity``, ``?flag`` and ``?type`` narrow the list."""
    chosen = {name: request.GET.get(name, "") for name in ("validity", "flag", "type")}
    rows = Reason.objects.visible_to(request.user).alias(five=F("n_accepted") * 5)
    if chosen["validity"] in SHARES:
        rows = rows.filter(SHARES[chosen["validity"]])
    if chosen["flag"] in FLAGS:
        rows = rows.filter(flags__contains=[chosen["flag"]])
    if chosen["type"] in TYPES:
        rows = rows.filter(types__contains=[chosen["type"]])
    context = {
        "page": page_of(rows, request, parameter="before", size=REASONS),
        "n": rows.count(),
        "chosen": chosen,
        "validity": VALIDITY,
        "flags": FLAGS,
        "filters": [
            ("validity", _("Validity"), VALIDITY),
            ("flag", _("Flag"), FLAGS),
            ("type", _("Kind of knowledge"), {name: name for name in TYPES}),
        ],
    }
    return render(request, "frontend/knowledge/reasons.html", context)
