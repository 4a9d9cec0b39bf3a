"""Writing: an article, a twin, live checks, a receipt."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from collection import services
from collection.models import Assignment, Twin
from frontend.checklist import checklist
from frontend.forms import TwinForm, blank_twin_form
from frontend.http import PageRequest, show, signed_in
from frontend.marks import marked_article, marked_twins
from frontend.selectors.campaigns import campaign_for
from frontend.selectors.work import assignment_for, open_assignment
from winoplatform.errors import DomainError
from workers.models import LedgerEntry

CHIPS_SHOWN = 12


@signed_in
@require_http_methods(["GET", "POST"])
def author(request: PageRequest, slug: str) -> HttpResponse:
    """Show what one is writing in this campaign; POST asks for an article."""
    campaign = campaign_for(request.user, slug)
    if request.method == "POST":
        services.request_assignment(worker=request.user, campaign=campaign)
        return redirect("author", slug)
    assignment = open_assignment(request.user, campaign)
    if assignment is None:
        return render(request, "frontend/author_start.html", {"campaign": campaign})
    return _writing(request, assignment, blank_twin_form())


def _writing(
    request: PageRequest,
    assignment: Assignment,
    form: TwinForm,
    *,
    refusal: DomainError | None = None,
    is_submitted: bool = False,
    status: int = 200,
) -> HttpResponse:
    article = assignment.article
    context = {
        "assignment": assignment,
        "article": article,
        "article_pieces": list(marked_article(article.text, article.anchors)),
        "chips": article.anchors[:CHIPS_SHOWN],
        "more_chips": article.anchors[CHIPS_SHOWN:],
        "form": form,
        "refusal": refusal,
        "missing": form.missing() if is_submitted else frozenset(),
        "is_over": assignment.leased_until <= timezone.now(),
    }
    return render(
        request, "frontend/author.html", context | _checked(assignment, form), status=status
    )


def _checked(assignment: Assignment, form: TwinForm) -> dict[str, object]:
    """Check what the form holds by the campaign's rules, whether it is complete or not."""
    if form.is_bound:
        form.is_valid()
    else:
        form.cleaned_data = {}
    text = form.text()
    report = services.check_text(
        campaign=assignment.campaign, text=text, article=assignment.article
    )
    options = dict(zip((1, 2), text.options, strict=True))
    return {
        "campaign": assignment.campaign,
        "checklist": checklist(report, text, assignment.campaign.thresholds),
        "twins": marked_twins(report.trigger) if all(text.sentences) else None,
        "fillings": [options.get(answer, "") for answer in text.answers],
    }


@signed_in
@require_POST
def check_twin(request: PageRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Check a twin as one types; nothing is stored."""
    assignment = assignment_for(request.user, assignment_id)
    form = TwinForm(request.POST)
    if not request.htmx:
        return _writing(request, assignment, form)
    context = _checked(assignment, form) | {"is_update": True}
    return show(request, "frontend/author.html", context, part="check")


@signed_in
@require_http_methods(["GET", "POST"])
def submit_twin(request: PageRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Store the twin and show its receipt; a refusal keeps every word that was typed."""
    assignment = assignment_for(request.user, assignment_id)
    if request.method == "GET":
        return redirect("author", assignment.campaign.slug)
    form = TwinForm(request.POST)
    if not form.is_valid():
        return _writing(request, assignment, form, is_submitted=True, status=400)
    try:
        if "renew" in request.POST:
            services.renew_assignment(worker=request.user, assignment_id=assignment_id)
        twin = services.submit_twin(
            worker=request.user,
            assignment_id=assignment_id,
            text=form.text(),
            client_key=form.cleaned_data["client_key"],
        )
    except DomainError as refusal:
        return _writing(
            request, assignment, form, refusal=refusal, is_submitted=True, status=refusal.status
        )
    return redirect("receipt", twin.public_id)


@signed_in
@require_POST
def return_assignment(request: PageRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Give the article back; another one can be asked for at once."""
    assignment = services.return_assignment(worker=request.user, assignment_id=assignment_id)
    messages.success(request, _("The article is returned. You can ask for another one."))
    return redirect("author", assignment.campaign.slug)


@signed_in
@require_safe
def receipt(request: PageRequest, twin_id: uuid.UUID) -> HttpResponse:
    """Show the writer what was stored, what it pays and what happens next."""
    mine = Twin.objects.filter(author=request.user).select_related("campaign", "assignment")
    twin = mine.filter(public_id=twin_id).first()
    if twin is None:
        raise Http404(_("There is no such twin, or it is not yours."))
    entry = LedgerEntry.objects.filter(
        worker=request.user, kind=LedgerEntry.Kind.TWIN, unit=str(twin.public_id)
    )
    context = {"twin": twin, "questions": twin.questions.order_by("number"), "pay": entry.first()}
    return render(request, "frontend/receipt.html", context)
