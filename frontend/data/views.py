"""The Data tab: the questions of a campaign, searched, filtered, acted on and exported."""

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from collection.models import Campaign
from collection.selectors.search import has_content
from evaluation.exports.questions import question_file
from evaluation.selectors.question_list import QuestionList
from filtering.services import encode_sentences
from frontend.data.forms import DataForm
from frontend.data.question import list_of, preview_of
from frontend.data.reads import (
    in_order,
    last_actions,
    named_views,
    question_page,
    sentences_of,
)
from frontend.data.words import COLUMNS
from frontend.findings import reason_names
from frontend.http import (
    READERS,
    REFUSALS,
    REVIEW,
    PageRequest,
    curators_only,
    existing,
    refusal_of,
    show,
)
from frontend.lookups import campaign_for, rights_here
from frontend.paging import numbered
from validation.models import BulkAction, BulkItem
from validation.services.review.adjudication import GIVEN_BY_CURATORS
from validation.services.review.bulk import (
    MOST,
    confirm_bulk,
    execute_bulk,
    execute_undo,
    outcomes_of,
    prepare_bulk,
    request_undo,
)
from validation.services.review.shared import delete_view, save_view
from winoplatform.errors import DomainError
from winoplatform.http.rights import Right
from workers.models import AuditEvent
from workers.services.audit import audits

PAGE = "frontend/data/data.html"
ITEMS = 100
BUTTONS = BulkAction.Kind.choices


@audits(AuditEvent.Kind.LABELS)
@curators_only(needs=REVIEW)
def data(request: PageRequest, slug: str) -> HttpResponse:
    """List the questions of a campaign that match the address; htmx gets the preview of one."""
    campaign = campaign_for(request.user, slug)
    form = DataForm(request.GET)
    query = form.view_of(request.GET)
    context: dict[str, Any] = {
        "campaign": campaign,
        "form": form,
        "most": MOST,
        "query": query,
        "of_list": "?" + urlencode({"view": query, "show": "1"}),
        "here": reverse("data", args=[campaign.slug]),
        "close": f"?{query}" if query else ".",
    }
    status = 200
    if not request.htmx:
        context["sentences"] = sentences_of(campaign)
        context["may_manage"] = Right.MANAGE in rights_here(request, campaign)
    try:
        if not form.is_valid():
            return render(request, PAGE, context, status=400)
        if form.cleaned_data["show"]:
            context["preview"] = preview_of(request, campaign, form.cleaned_data["show"])
        if not request.htmx:
            context |= _list_context(request, campaign, form)
    except DomainError as error:
        context["refusal"], status = error, error.status
    return show(request, PAGE, context, part="preview", status=status)


def _list_context(request: PageRequest, campaign: Campaign, form: DataForm) -> dict[str, Any]:
    """Return what the list shows, with the views that have a name."""
    questions = QuestionList(form.query(), campaign)
    page = question_page(questions, form, request.GET)
    columns, searched = form.shown_columns, form.cleaned_data["q"]
    rights, query = rights_here(request, campaign), form.view_of(request.GET)
    return {
        "is_ignored": bool(searched and not page.rows and not has_content(searched)),
        "found": page,
        "near": questions.near,
        "columns": {name: COLUMNS[name] for name in COLUMNS if name in columns},
        "all_columns": [(name, label, name in columns) for name, label in COLUMNS.items()],
        "kinds": BUTTONS if Right.DECIDE in rights else [],
        "views": named_views(campaign, query, user=request.user, rights=rights),
        "actions": last_actions(campaign, request.user),
        "opens": _with_page(query, form.cleaned_data["page"]),
    }


def _with_page(query: str, page: int | None) -> str:
    """Return the start of a link to the preview of a question in this page of the list."""
    parts = [query, f"page={page}" if page else "", "show="]
    return "?" + "&".join(part for part in parts if part)


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
    try:
        form, questions = _of_view(request, campaign, only_selected=request.POST.get("all") != "1")
        rows = in_order(questions, form)
        action = prepare_bulk(
            campaign=campaign,
            kind=request.POST.get("kind", ""),
            questions=list(rows.values_list("question", flat=True)[: MOST + 1]),
            by=request.user,
        )
    except DomainError as refusal:
        return _list_with(request, slug, refusal)
    return redirect(_action_address(slug, action, DataForm.view_of(request.GET)))


def _list_with(
    request: PageRequest, slug: str, refusal: DomainError | ValidationError
) -> HttpResponse:
    """Lead back to the list with its filters, where a refusal is said.

    It jumps there, as only what a GET shows of labels is recorded. An address that is not
    understood has no list.
    """
    form = DataForm(request.GET)
    if not form.is_valid():
        raise refusal_of(refusal)
    messages.warning(request, refusal_of(refusal).message)
    return redirect(list_of(slug, form.view_of(request.GET)))


def _action_address(slug: str, action: BulkAction, view: str) -> str:
    """Return the address of an action's page, which leads back to the view that it came from."""
    address = reverse("data-action", args=[slug, action.public_id])
    return f"{address}?{urlencode({'view': view})}" if view else address


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
        raise DomainError("invalid", form.problems[0])
    if only_selected:
        form.cleaned_data["twins"] = False
    return form, QuestionList(form.query(), campaign)


@curators_only("GET", "POST", needs=REVIEW)
def data_action(request: PageRequest, slug: str, action_id: uuid.UUID) -> HttpResponse:
    """Show an action: to confirm, or what came of it; POST confirms or continues it."""
    campaign, action = _action(request, slug, action_id)
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
    return redirect(_action_address(slug, action, request.GET.get("view", "")))


@curators_only("POST", needs=REVIEW)
def undo_data_action(request: PageRequest, slug: str, action_id: uuid.UUID) -> HttpResponse:
    """Undo an action, or continue to."""
    campaign, action = _action(request, slug, action_id)
    try:
        action = request_undo(action_id=action_id, campaign=campaign, by=request.user)
        execute_undo(action=action)
    except DomainError as refusal:
        return _show_action(request, campaign, action, refusal)
    return redirect(_action_address(slug, action, request.GET.get("view", "")))


def _action(request: PageRequest, slug: str, action_id: uuid.UUID) -> tuple[Campaign, BulkAction]:
    campaign = campaign_for(request.user, slug)
    actions = BulkAction.objects.filter(campaign=campaign, by=request.user)
    return campaign, existing(actions, _("There is no such action."), public_id=action_id)


def _show_action(
    request: PageRequest,
    campaign: Campaign,
    action: BulkAction,
    refusal: DomainError | None = None,
) -> HttpResponse:
    items = action.items.select_related("question").order_by("number")
    counts = outcomes_of(action)
    names = reason_names()
    view = request.GET.get("view", "")
    context = {
        "campaign": campaign,
        "action": action,
        "here": reverse("data-action", args=[campaign.slug, action.public_id]),
        "page": numbered(items, request.GET.get("page", ""), ITEMS),
        "total": sum(counts.values()),
        "done": counts[BulkItem.Outcome.DONE],
        "refused": counts[BulkItem.Outcome.REFUSED],
        "left": counts[BulkItem.Outcome.WAITING],
        "undone": counts[BulkItem.Outcome.UNDONE],
        "stays": counts[BulkItem.Outcome.STAYS],
        "reasons": [(code.value, names[code.value]) for code in GIVEN_BY_CURATORS],
        "chosen": request.POST.getlist("reasons"),
        "note": request.POST.get("note", ""),
        "refusal": refusal,
        "back": list_of(campaign.slug, view),
        "query": urlencode({"view": view}) if view else "",
    }
    status = refusal.status if refusal else 200
    return render(request, "frontend/data/action.html", context, status=status)


@curators_only("POST")
def encode_data(request: PageRequest, slug: str) -> HttpResponse:
    """Start a run that encodes the sentences of the campaign, and show the list again."""
    campaign = campaign_for(request.user, slug)
    try:
        encode_sentences(campaign=campaign, by=request.user)
    except REFUSALS as error:
        return _list_with(request, slug, error)
    messages.success(request, _("The sentences are being encoded."))
    return redirect(list_of(slug, DataForm.view_of(request.GET)))


@curators_only("POST", needs=READERS)
def new_data_view(request: PageRequest, slug: str) -> HttpResponse:
    """Give the view of the address a name, for all members."""
    campaign = campaign_for(request.user, slug)
    form = DataForm(request.GET)
    query = form.view_of(request.GET)
    try:
        if not form.is_valid():
            raise DomainError("invalid", form.problems[0])
        name = request.POST.get("name", "")
        view = save_view(campaign=campaign, name=name, query=query, by=request.user)
    except REFUSALS as error:
        return _list_with(request, slug, error)
    messages.success(request, _("The view “%(name)s” is saved.") % {"name": view.name})
    return redirect(list_of(slug, query))


@curators_only("POST", needs=READERS)
def delete_data_view(request: PageRequest, slug: str, view_id: uuid.UUID) -> HttpResponse:
    """Delete a named view; the questions are still listed as it showed them."""
    campaign = campaign_for(request.user, slug)
    delete_view(view_id=view_id, campaign=campaign, by=request.user)
    messages.success(request, _("The view is deleted. Its filters are still on here."))
    query = DataForm.view_of(request.GET)
    return redirect(list_of(slug, query))
