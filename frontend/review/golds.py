"""Gold questions of a campaign, for curators."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection.models import Campaign
from frontend.http import REVIEW, PageRequest, curators_only
from frontend.lookups import campaign_for
from frontend.paging import page_of
from frontend.review.forms import GoldForm
from stats.intervals import wilson
from validation.core.golds import WINDOW
from validation.models import GoldQuestion, QualityNotice
from validation.selectors.golds import why_retired, with_answers
from validation.services.golds import add_gold, retire_gold
from winoplatform.errors import DomainError, NotFound
from workers.models import AuditEvent
from workers.services.audit import audits

GOLDS = 30


@audits(AuditEvent.Kind.LABELS)
@curators_only("GET", "POST", needs=REVIEW)
def golds(request: PageRequest, slug: str) -> HttpResponse:
    """List a campaign's gold questions; POST adds one."""
    campaign = campaign_for(request.user, slug)
    if request.method == "GET":
        return _show(request, campaign, GoldForm())
    form = GoldForm(request.POST)
    if not form.is_valid():
        return _show(request, campaign, form, status=400)
    try:
        add_gold(campaign=campaign, question_id=form.cleaned_data["question"], by=request.user)
    except NotFound:
        form.add_error("question", _("There is no question with this id in this campaign."))
        return _show(request, campaign, form, status=404)
    except DomainError as refusal:
        return _show(request, campaign, form, refusal=refusal, status=refusal.status)
    messages.success(request, _("The question is now a control question."))
    return redirect("golds", slug)


def _show(
    request: PageRequest,
    campaign: Campaign,
    form: GoldForm,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    shows_retired = request.GET.get("retired") == "1"
    golds = GoldQuestion.objects.filter(campaign=campaign)
    rows = golds.out_of_use() if shows_retired else golds.in_use()
    page = page_of(with_answers(rows), request, parameter="golds", size=GOLDS)
    of_gold = QualityNotice.objects.filter(campaign=campaign, kind__in=QualityNotice.OF_GOLD)
    notices = of_gold.select_related("worker")
    context = {
        "campaign": campaign,
        "form": form,
        "refusal": refusal,
        "page": page,
        "rows": [(gold, wilson(gold.n_right, gold.n_answers), _reason(gold)) for gold in page.rows],
        "n_in_use": golds.in_use().count(),
        "looked_back_on": WINDOW,
        "shows_retired": shows_retired,
        "notices": notices[:10],
    }
    return render(request, "frontend/review/golds.html", context, status=status)


def _reason(gold: Any) -> str:
    why = why_retired(gold)
    return str(GoldQuestion.Retirement(why).label) if why else ""


@curators_only("POST", needs=REVIEW)
def retire(request: PageRequest, slug: str, gold_id: uuid.UUID) -> HttpResponse:
    """Retire a gold question."""
    campaign = campaign_for(request.user, slug)
    if not GoldQuestion.objects.filter(campaign=campaign, public_id=gold_id).exists():
        raise Http404(_("There is no such control question in this campaign."))
    retire_gold(gold_id=gold_id)
    messages.success(request, _("The question is no longer a control question."))
    return redirect("golds", slug)
