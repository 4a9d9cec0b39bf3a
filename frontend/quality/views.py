"""The quality of a campaign's votes."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Campaign, Twin
from frontend.days import day_begins, day_ends
from frontend.http import PageRequest, curators_only, show
from frontend.lookups import campaign_for
from frontend.pictures import TREND
from frontend.quality import reads as selectors
from frontend.runs.reads import workers_state
from validation.exports.campaigns import export_response
from validation.models import QualityReport, ValidatorFigures, Vote
from validation.selectors.quality import SORTS, human_performance
from validation.services.quality import quality_report, renew_report
from winoplatform.api.parsing import MEDIA_TYPES
from workers.models import AuditEvent
from workers.services.audit import audits


class HumanForm(forms.Form):
    """The questions to include in human performance; days are in the reader's time zone."""

    domain = forms.ChoiceField(
        label=later("Domain"),
        choices=[("", later("any")), *Twin.Domain.choices],
        required=False,
    )
    since = forms.DateField(
        label=later("Validated from"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=later("Validated until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    kind = forms.ChoiceField(
        label=later("Votes"),
        choices=[
            ("counted", later("votes for verdicts")),
            ("gold", later("answers to control questions")),
        ],
        required=False,
    )

    def question(self) -> dict[str, Any]:
        """Return the selection as the selector's arguments; the last day is included."""
        data = self.cleaned_data
        return {
            "domain": data["domain"],
            "since": day_begins(data["since"]),
            "until": day_ends(data["until"]),
            "kind": data["kind"] or "counted",
        }


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
    page = selectors.validator_page(campaign, sort=sort, number=request.GET.get("page", ""))
    weeks = selectors.time_rows(figures["weeks"], "j M")
    months = selectors.time_rows(figures["months"], "M Y")
    form = HumanForm(request.GET) if "domain" in request.GET else HumanForm()
    is_valid = form.is_bound and form.is_valid()
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
        "validators": page.object_list,
        "validators_picture": selectors.validators_picture([*page.object_list]),
        "sort": sort,
        "sorts": selectors.SORT_NAMES,
        "form": form,
        "asked": human_performance(campaign, **form.question()) if is_valid else None,
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
