"""Writing: an article, a twin, live checks, another article."""

import re
import uuid
from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from collection import services
from collection.core.advice.texts import offensive_words
from collection.models import Assignment, Campaign
from collection.services.joining import access
from collection.services.writing.drafts import FIELDS as DRAFT_FIELDS
from frontend.http import PageRequest, signed_in
from frontend.lookups import campaign_for
from frontend.templatetags.shell import code_page
from frontend.writing.desk import Desk, checks_context, desk_context, fresh_desk
from frontend.writing.forms import ReturnForm, TwinForm
from frontend.writing.reads import assignment_for, open_assignment, own_twin
from validation import services as validation
from winoplatform.errors import Conflict, DomainError
from winoplatform.ids import as_uuid


@never_cache  # Back after a submission must not show the form of the finished article
@signed_in("GET", "POST")
def author(request: PageRequest, slug: str) -> HttpResponse:
    """Show the writer's current work in a campaign; POST requests an article."""
    campaign = campaign_for(request.user, slug)
    if request.method == "POST":
        return _ask(request, campaign)
    assignment = open_assignment(request.user, campaign)
    if assignment is not None:
        return show_desk(request, fresh_desk(assignment))
    eligibility = access.eligibility(request.user, campaign)
    if eligibility.next_step and campaign.status == Campaign.Status.OPEN:
        return redirect("join", slug)
    return _start(request, campaign, eligibility.refusal)


def _ask(request: PageRequest, campaign: Campaign) -> HttpResponse:
    try:
        services.request_assignment(worker=request.user, campaign=campaign)
    except DomainError as refusal:
        if refusal.code in access.STEPS:
            return redirect("join", campaign.slug)
        return _start(request, campaign, refusal, status=refusal.status)
    return redirect("author", campaign.slug)


def _start(
    request: PageRequest, campaign: Campaign, refusal: DomainError | None, status: int = 200
) -> HttpResponse:
    """Show how to start, or why there is nothing to write now."""
    again_at = refusal.details.get("again_at") if refusal else None
    context = {
        "campaign": campaign,
        "refusal": refusal,
        "again_at": parse_datetime(again_at) if again_at else None,
        "guideline": campaign.guideline,
    }
    return render(request, "frontend/writing/author_start.html", context, status=status)


def show_desk(request: PageRequest, desk: Desk, *, status: int = 200) -> HttpResponse:
    return render(request, "frontend/writing/author.html", desk_context(desk), status=status)


def keep_typed(request: PageRequest, desk: Desk) -> Desk:
    """Save the posted text, unless a newer draft is stored; the page shows it in both cases."""
    version = _as_version(request.POST.get("draft_version", ""))
    # Browsers omit unchecked radios: compare as the script saves.
    posted = {name: request.POST.get(name, "") for name in DRAFT_FIELDS}
    try:
        draft = services.save_draft(
            worker=request.user,
            assignment_id=desk.assignment.public_id,
            fields=posted,
            version=version,
            evidence={},
            revises=desk.twin.public_id if desk.twin else None,
        )
    except DomainError as refusal:
        is_outdated = refusal.code == "draft_outdated"
        return replace(desk, draft_version=version, is_outdated=is_outdated)
    return replace(desk, draft_version=draft.version)


def _as_version(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0


@signed_in("POST")
def check_twin(request: PageRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Check a twin while it is typed; only a full page request saves the text."""
    desk = posted_desk(request, assignment_id)
    if request.htmx:
        return render(request, "frontend/writing/update.html", checks_context(desk))
    return show_desk(request, keep_typed(request, desk))


def posted_desk(request: PageRequest, assignment_id: uuid.UUID) -> Desk:
    """Return the desk that a form was posted from, for an assignment of the user."""
    assignment = assignment_for(request.user, assignment_id)
    revised = as_uuid(request.POST.get("revises", ""))
    twin = own_twin(request.user, revised) if revised else None
    return Desk(assignment=assignment, form=TwinForm(request.POST), twin=twin)


@signed_in("GET", "POST")
def submit_twin(request: PageRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Store the twin and show its receipt; a refusal keeps the whole text."""
    assignment = assignment_for(request.user, assignment_id)
    if request.method == "GET":
        return redirect("author", assignment.campaign.slug)
    desk = Desk(assignment=assignment, form=TwinForm(request.POST), is_submitted=True)
    if not desk.form.is_valid():
        return show_desk(request, keep_typed(request, desk), status=400)
    question = ask_about_words(request, desk.form.text())
    if question is not None:
        return show_desk(request, keep_typed(request, desk.refused(question)), status=409)
    return _submit(request, desk, assignment)


def ask_about_words(request: PageRequest, text: services.TwinText) -> DomainError | None:
    """Return a question about words that may offend, unless it was answered for the same words."""
    words = offensive_words(text.sentences)
    if not words or request.POST.get("sure") == " ".join(words):
        return None
    return Conflict(
        "offensive_words",
        _("%(words)s may be obscene or hateful. Is it meant? If so, curators look at the twin.")
        % {"words": ", ".join(f"“{word}”" for word in words)},
        details={"words": words},
    )


def _submit(request: PageRequest, desk: Desk, assignment: Assignment) -> HttpResponse:
    try:
        if "renew" in request.POST:
            services.renew_assignment(worker=request.user, assignment_id=assignment.public_id)
        twin = validation.submit_twin(
            worker=request.user,
            assignment_id=assignment.public_id,
            text=desk.form.text(),
            client_key=desk.form.cleaned_data["client_key"],
        )
    except DomainError as refusal:
        key = keep_typed(request, desk.refused(refusal))
        return show_desk(request, key, status=refusal.status)
    return code_page(request, twin.public_id) or redirect("receipt", twin.public_id)


@signed_in("POST")
def return_assignment(request: PageRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Return the article with a reason, or exchange it for another one."""
    form = ReturnForm(request.POST)
    if not form.is_valid():
        raise DomainError(
            "reason_invalid", _("Choose a reason; the comment can have at most 300 characters.")
        )
    arguments = {"worker": request.user, "assignment_id": assignment_id, **form.cleaned_data}
    if "another" not in request.POST:
        assignment = services.return_assignment(**arguments)
        messages.success(request, _("The article was returned. You can get another one."))
    elif not form.cleaned_data["reason"]:
        raise DomainError("reason_missing", _("Choose a reason."))
    else:
        assignment = services.another_article(**arguments)
        messages.success(request, _("Here is another article."))
    return redirect("author", assignment.campaign.slug)
