"""The Data tab: the questions of a campaign, searched, filtered, acted on and exported."""

import uuid
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection.models import Campaign
from collection.selectors.search import has_content
from evaluation.exports.questions import question_file
from evaluation.selectors.question_list import QuestionList
from frontend.data.forms import DataForm
from frontend.data.reads import in_order, question_page
from frontend.data.words import COLUMNS
from frontend.findings import reason_names
from frontend.http import REVIEW, PageRequest, curators_only, existing
from frontend.lookups import campaign_for
from frontend.paging import numbered
from validation.models import BulkAction, BulkItem
from validation.services.review.adjudication import GIVEN_BY_CURATORS
from validation.services.review.bulk import (
    MOST,
    confirm_bulk,
    execute_bulk,
    outcomes_of,
    prepare_bulk,
)
from winoplatform.errors import DomainError
from workers.models import AuditEvent
from workers.services.audit import audits

ITEMS = 100
BUTTONS = BulkAction.Kind.choices


@audits(AuditEvent.Kind.LABELS)
@curators_only(needs=REVIEW)
def data(request: PageRequest, slug: str) -> HttpResponse:
    """List the questions of a campaign that match the address."""
    campaign = campaign_for(request.user, slug)
    form = DataForm(request.GET)
    context: dict[str, Any] = {"campaign": campaign, "form": form, "most": MOST}
    if not form.is_valid():
        return render(request, "frontend/data/data.html", context, status=400)
    try:
        page = question_page(QuestionList(form.query(), campaign), form, request.GET)
    except DomainError as refusal:
        context["refusal"] = refusal
        return render(request, "frontend/data/data.html", context, status=refusal.status)
    columns, searched = form.shown_columns, form.cleaned_data["q"]
    context |= {
        "is_ignored": bool(searched and not page.rows and not has_content(searched)),
        "found": page,
        "columns": {name: COLUMNS[name] for name in COLUMNS if name in columns},
        "all_columns": [(name, label, name in columns) for name, label in COLUMNS.items()],
        "kinds": BUTTONS,
        "query": _query(request.GET),
    }
    return render(request, "frontend/data/data.html", context)


def _query(address: QueryDict) -> str:
    """Return the address of the whole view, without its page."""
    left = address.copy()
    left.pop("page", None)
    return left.urlencode()


@audits(AuditEvent.Kind.LABELS_FILE)
@curators_only("GET", "POST", needs=REVIEW)
def data_file(request: PageRequest, slug: str, kind: str) -> HttpResponse:
    """Download the questions of a view with its columns; POST: only the selected ones."""
    campaign = campaign_for(request.user, slug)
    form, questions = _of_view(request, campaign, only_selected=request.method == "POST")
    return question_file(  # type: ignore[return-value]  # streamed
        in_order(questions, form), form.shown_columns, campaign=campaign, form=kind
    )


@curators_only("POST", needs=REVIEW)
def new_data_action(request: PageRequest, slug: str) -> HttpResponse:
    """Prepare an action on the selected questions, or on all of a view; nothing is done yet."""
    campaign = campaign_for(request.user, slug)
    form, questions = _of_view(request, campaign, only_selected=request.POST.get("all") != "1")
    rows = in_order(questions, form)
    action = prepare_bulk(
        campaign=campaign,
        kind=request.POST.get("kind", ""),
        questions=list(rows.values_list("question", flat=True)[: MOST + 1]),
        by=request.user,
    )
    return redirect("data-action", slug, action.public_id)


def _of_view(
    request: PageRequest, campaign: Campaign, *, only_selected: bool
) -> tuple[DataForm, QuestionList]:
    """Return the view of the address, or what is selected in it.

    Raises
    ------
    DomainError
        For an address that is not understood, as all questions would be worse than none.
    """
    address = request.GET.copy()
    if only_selected:
        chosen = request.POST.getlist("id")
        if not chosen:
            raise DomainError("nothing_chosen", _("Select at least one question."))
        address.setlist("id", chosen)
    form = DataForm(address)
    if not form.is_valid():
        [errors, *_others] = form.errors.values()
        raise DomainError("invalid", str(errors[0]))
    if only_selected:
        form.cleaned_data["twins"] = False
    return form, QuestionList(form.query(), campaign)


@curators_only("GET", "POST", needs=REVIEW)
def data_action(request: PageRequest, slug: str, action_id: uuid.UUID) -> HttpResponse:
    """Show an action: to confirm, or what came of it; POST confirms or continues it."""
    campaign = campaign_for(request.user, slug)
    actions = BulkAction.objects.filter(campaign=campaign, by=request.user)
    action = existing(actions, _("There is no such action."), public_id=action_id)
    if request.method == "GET":
        return _show_action(request, campaign, action)
    try:
        confirmed = confirm_bulk(
            action_id=action_id,
            campaign=campaign,
            by=request.user,
            note=request.POST.get("note", ""),
            reasons=request.POST.getlist("reasons"),
        )
        execute_bulk(action=confirmed)
    except DomainError as refusal:
        return _show_action(request, campaign, action, refusal)
    return redirect("data-action", slug, action_id)


def _show_action(
    request: PageRequest,
    campaign: Campaign,
    action: BulkAction,
    refusal: DomainError | None = None,
) -> HttpResponse:
    items = action.items.select_related("question").order_by("number")
    counts = outcomes_of(action)
    names = reason_names()
    context = {
        "campaign": campaign,
        "action": action,
        "page": numbered(items, request.GET.get("page", ""), ITEMS),
        "total": sum(counts.values()),
        "done": counts[BulkItem.Outcome.DONE],
        "refused": counts[BulkItem.Outcome.REFUSED],
        "left": counts[BulkItem.Outcome.WAITING],
        "reasons": [(code.value, names[code.value]) for code in GIVEN_BY_CURATORS],
        "chosen": request.POST.getlist("reasons"),
        "note": request.POST.get("note", ""),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "frontend/data/action.html", context, status=status)
