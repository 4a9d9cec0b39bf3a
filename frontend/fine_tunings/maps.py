"""One fine-tuning: its progress, the map of its questions, and offers to the review queue."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from collection.models import Campaign, of_member
from evaluation.models import FineTuning
from evaluation.selectors.training_items import (
    campaign_of_training,
    questions_of_items,
    training_map,
)
from evaluation.services.label_errors import offer_label_errors
from frontend.epochs import charts_of
from frontend.fine_tunings.reads import epoch_rows, fine_tunings, map_view
from frontend.fine_tunings.words import region_words
from frontend.http import PageRequest, curators_only, existing, show, signed_in
from frontend.paging import numbered
from frontend.runs.reads import shown_run
from tabular.writing import csv_lines
from winoplatform.errors import DomainError
from winoplatform.exporting.spreadsheets import CSV
from winoplatform.runs.models import RunStatus
from workers.models import User

HARDEST = 25  # on a page of the table
COLUMNS = ("rank", "item", "group", "confidence", "variability", "correctness", "regions")


@signed_in()
def fine_tuning(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a fine-tuning: its epochs, its figures, and the map of the questions it learned."""
    run = _find(request, public_id)
    rows = epoch_rows(run)
    context: dict[str, Any] = {
        **shown_run(request, run),
        "rows": rows,
        **charts_of(rows, of_two=False),
        "settings": [(name, getattr(run, name)) for name in (*run.SETTINGS, "keep", "patience")],
    }
    if run.status == RunStatus.DONE and not request.htmx:
        context |= _mapped(request, run)
    return show(request, "frontend/fine_tunings/fine_tuning.html", context, part="live")


def _mapped(request: PageRequest, run: FineTuning) -> dict[str, Any]:
    try:
        training_map_of_run = training_map(run)
    except ValueError as error:
        return {"no_map": str(error)}
    campaign = _campaign(request.user, run)
    ids = [item.item.id for item in training_map_of_run.items]
    questions = questions_of_items(run, ids) if campaign else {}
    page = numbered(training_map_of_run.items, request.GET.get("page", ""), HARDEST)
    return {
        "map": map_view(training_map_of_run.items, campaign, questions),
        "hardest": page,
        "hrefs": _hrefs(campaign, questions) if campaign else {},
        "campaign": campaign,
        "regions": {row.rank: region_words(row.regions) for row in page.rows},
    }


def _campaign(user: User, run: FineTuning) -> Campaign | None:
    """Return the campaign whose questions the run learned, if *user* is a member of it."""
    campaign = campaign_of_training(run)
    mine = Campaign.objects.filter(of_member(user, "pk"))
    return campaign if campaign and mine.filter(pk=campaign.pk).exists() else None


def _hrefs(campaign: Campaign, questions: Mapping[str, str]) -> Mapping[str, str]:
    return {
        id: reverse("review-question", args=[campaign.slug, question])
        for id, question in questions.items()
    }


@signed_in()
def map_file(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Download the map of a fine-tuning: a line for each question, the hardest first."""
    run = _find(request, public_id)
    if run.status != RunStatus.DONE:
        raise Http404(_("There is no such file."))
    try:
        mapped = training_map(run)
    except ValueError as error:
        raise Http404(str(error)) from error
    lines = (
        (one.rank, one.item.id, one.item.group, one.confidence, one.variability, one.correctness,
         " ".join(one.regions))
        for one in mapped.items
    )  # fmt: skip
    response = HttpResponse("".join(csv_lines(COLUMNS, lines)), content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="map-{run.public_id}.csv"'
    return response


@curators_only("POST")
def offer(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Add the chosen questions to the review queue of their campaign."""
    run = _find(request, public_id)
    ids = request.POST.getlist("item")
    try:
        made = offer_label_errors(fine_tuning=run, ids=ids, by=request.user)
    except DomainError as refusal:
        messages.warning(request, refusal.message)
        return redirect(f"{reverse('fine-tuning', args=[public_id])}#hardest-title")
    if made.n:
        message = ngettext(
            "%d question was added to the review queue.",
            "%d questions were added to the review queue.",
            made.n,
        )
        messages.success(request, message % made.n)
    for id, why in made.refused.items():
        messages.warning(request, f"{id}: {why}")
    return redirect(f"{reverse('fine-tuning', args=[public_id])}#hardest-title")


def _find(request: PageRequest, public_id: uuid.UUID) -> FineTuning:
    missing = _("There is no such fine-tuning, or it is not visible to you.")
    return existing(fine_tunings(request.user), missing, public_id=public_id)
