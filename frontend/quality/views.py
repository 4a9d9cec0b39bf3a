"""The quality of a campaign's votes: agreement, human performance, validators."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from collection.models import Campaign
from frontend.http import PageRequest, curators_only, show
from frontend.lookups import campaign_for
from frontend.pictures import TREND
from frontend.quality import reads as selectors
from frontend.quality.forms import HumanForm
from frontend.runs.reads import workers_state
from validation.exports.files import export_response
from validation.models import QualityReport, ValidatorFigures, Vote
from validation.selectors.quality import SORTS, human_performance
from validation.services.quality import quality_report, renew_report
from winoplatform.api.forms import MEDIA_TYPES
from workers.models import AuditEvent
from workers.services.audit import audits

CHANGES = 100


@curators_only()
def quality(request: PageRequest, slug: str) -> HttpResponse:
    """Show the latest report; without one, the page polls until it is ready."""
    campaign = campaign_for(request.user, slug)
    report = quality_report(campaign=campaign)
    context: dict[str, Any] = {"campaign": campaign, "report": report}
    if report is None:
        context["workers"] = workers_state()
    else:
        context |= _figures(request, campaign, report)
    return show(request, "frontend/quality/quality.html", context, part="report")


def _figures(request: PageRequest, campaign: Campaign, report: QualityReport) -> dict[str, Any]:
    figures = report.figures
    sort = request.GET.get("sort", "")
    sort = sort if sort in SORTS else "votes"
    page, rows = selectors.validator_page(campaign, sort=sort, number=request.GET.get("page", ""))
    weeks = selectors.time_rows(figures["weeks"], "j M")
    months = selectors.time_rows(figures["months"], "M Y")
    form = HumanForm(request.GET) if "domain" in request.GET else HumanForm()
    asked = form.is_bound and form.is_valid()
    votes = Vote.objects.filter(seat__campaign=campaign)
    return {
        "figures": figures,
        "has_votes": not figures["n_votes"] and votes.exists(),
        "agreement": (agreement := selectors.agreement_rows(figures)),
        "verdict": selectors.verdict(figures, agreement),
        "n_flagged": ValidatorFigures.objects.filter(report=report).exclude(flags=[]).count(),
        "domains": selectors.domain_rows(figures),
        "weeks": weeks,
        "months": months,
        "week_chart": selectors.human_chart(weeks) if len(weeks) >= TREND else None,
        "month_chart": selectors.human_chart(months) if len(months) >= TREND else None,
        "page": page,
        "validators": rows,
        "validators_picture": selectors.validators_picture(rows),
        "sort": sort,
        "sorts": selectors.SORT_NAMES,
        "form": form,
        "asked": human_performance(campaign, **form.question()) if asked else None,
    }


@curators_only("POST")
def renew_quality(request: PageRequest, slug: str) -> HttpResponse:
    """Compute the report now."""
    renew_report(campaign=campaign_for(request.user, slug))
    messages.success(request, _("The report was recalculated."))
    return redirect("quality", slug)


@audits(AuditEvent.Kind.LABELS_FILE)
@curators_only()
def votes_export(request: PageRequest, slug: str, kind: str) -> HttpResponse:
    """Download every vote of the campaign."""
    campaign = campaign_for(request.user, slug)
    if kind not in MEDIA_TYPES:
        raise Http404(_("There is no such file."))
    return export_response(request, campaign, "votes", kind)  # type: ignore[return-value]  # streamed
