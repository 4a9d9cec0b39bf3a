"""Campaigns, their settings and the rules for their twins."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from rest_framework.request import Request

from collection import services
from collection.api.filters import CampaignFilter
from collection.api.serializers import campaigns as serializers
from collection.core.findings import ADVICE
from collection.core.rules import RULES, Report, level_of
from collection.models import Article, Assignment, Campaign, SettingsChange, refuse_role
from collection.selectors.joining import offered_to
from collection.services import TwinText
from winoplatform import clock
from winoplatform.api.permissions import CuratorsChange, IsCurator
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ApiView, CuratorView, ListView
from winoplatform.errors import existing
from winoplatform.http.rights import Right
from workers.api.callers import caller


def visible_campaign(
    request: Request, slug: str, campaigns: QuerySet[Campaign] | None = None
) -> Campaign:
    """Return the campaign with that slug, of *campaigns* or of all, if the user may see it."""
    rows: Any = Campaign.objects.all() if campaigns is None else campaigns
    campaign: Campaign | None = rows.visible_to(caller(request)).filter(slug=slug).first()
    if campaign is None:
        refuse_role(caller(request), Campaign.objects.filter(slug=slug))
        raise Http404
    services.note_access(caller(request), campaign)
    return campaign


class Rules(ApiView):
    gives = [serializers.RuleSerializer]

    def get(self, request: Request) -> Any:
        """List every rule of the checker, in the order of checking, and then all advice."""
        return [
            {"code": code, "level": level_of(code).value, "sentence": sentence}
            for code, sentence in {**RULES, **ADVICE}.items()
        ]


class Campaigns(ListView):
    """List the campaigns; curators also see drafts, budgets and settings of control questions.

    Workers are not offered a campaign of simulated people while another one is open, unless they
    hold an article or a question of it.
    """

    reads = Right.SEE
    queryset = Campaign.objects.with_guidelines()
    serializer_class = serializers.CampaignSerializer
    filterset_class = CampaignFilter
    permission_classes = [CuratorsChange]
    takes = serializers.NewCampaignSerializer
    refuses = 409

    def visible(self, rows: Any) -> Any:
        visible_rows: Any = super().visible(rows)
        user = caller(self.request)
        return visible_rows if user.is_curator else offered_to(visible_rows, user, now=clock.now())

    def post(self, request: Request) -> Any:
        """Create a campaign as a draft; settings have the paper's values by default."""
        return services.create_campaign(by=caller(request), **self.body())


class OneCampaign(ApiView):
    reads = Right.SEE
    permission_classes = [CuratorsChange]
    takes = serializers.CampaignChangesSerializer(partial=True)
    gives = serializers.CampaignSerializer
    refuses = Refusal("currency_fixed")

    def get(self, request: Request, slug: str) -> Any:
        """Return one campaign; curators also see its budget and settings of control questions."""
        return visible_campaign(request, slug, Campaign.objects.with_guidelines())

    def patch(self, request: Request, slug: str) -> Any:
        """Change settings; existing twins, votes and pay stay as they are."""
        campaign = visible_campaign(request, slug)
        return services.update_campaign(campaign=campaign, by=caller(request), **self.body())


class SettingsHistory(ListView):
    """List the changes of a campaign's settings, newest first; the first one has all of them."""

    reads = Right.MANAGE
    queryset = SettingsChange.objects.select_related("by")
    serializer_class = serializers.SettingsChangeSerializer
    permission_classes = [IsCurator]

    def visible(self, rows: Any) -> QuerySet[SettingsChange]:
        campaign = visible_campaign(self.request, self.kwargs["slug"])
        matching: QuerySet[SettingsChange] = rows.filter(campaign=campaign)
        return matching


class CampaignStatus(CuratorView):
    takes = serializers.StatusSerializer
    gives = serializers.CampaignSerializer
    refuses = [Refusal("status_not_reachable"), Refusal("no_articles")]

    def post(self, request: Request, slug: str) -> Any:
        """Open, pause or close a campaign."""
        campaign = visible_campaign(request, slug)
        return services.change_status(campaign=campaign, **self.body())


class CheckTwin(ApiView):
    takes = serializers.CheckedTwinSerializer
    gives = serializers.ReportSerializer

    def post(self, request: Request, slug: str) -> Any:
        """Check a twin by the campaign's rules; nothing is stored."""
        campaign = visible_campaign(request, slug)
        draft = self.body()
        report = services.check_text(
            campaign=campaign, text=twin_text(draft), article=_article(request, campaign, draft)
        )
        return _report_body(report)


def _article(request: Request, campaign: Campaign, draft: dict[str, Any]) -> Article | None:
    if "assignment" not in draft:
        return None
    held = Assignment.objects.visible_to(caller(request)).filter(campaign=campaign)
    found = existing(
        held.filter(public_id=draft["assignment"]).select_related("article").first(), "assignment"
    )
    return found.article


def twin_text(draft: dict[str, Any]) -> TwinText:
    """Return the twin of a request body; an answer not chosen yet is 0."""
    answers = [answer or 0 for answer in draft["answers"]]
    return TwinText(
        sentences=tuple(draft["sentences"]),
        options=tuple(draft["options"]),
        answers=(answers[0], answers[1]),
        anchor=draft["anchor"],
        domain=draft["domain"],
    )


def _report_body(report: Report) -> dict[str, Any]:
    return {
        "accepted": report.accepted,
        "findings": [finding.for_author() for finding in report.findings],
        "word_counts": report.word_counts,
        "overlap": report.overlap,
        "trigger": report.trigger,
    }
