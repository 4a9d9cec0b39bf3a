"""The progress of a campaign. For curators."""

from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.views.campaigns import visible_campaign
from filtering import selectors, services
from filtering.api import serializers
from winoplatform.api.views import CuratorView


class CampaignFunnel(CuratorView):
    gives = serializers.FunnelSerializer

    def get(self, request: Request, slug: str) -> Response:
        """Count a campaign's questions by stage: written, validated, valid, kept."""
        funnel = selectors.funnel(visible_campaign(request, slug))
        return Response(serializers.FunnelSerializer(funnel).data)


class ChosenRun(CuratorView):
    gives = None

    def delete(self, request: Request, slug: str) -> Response:
        """Let the campaign show the run of its latest release again."""
        services.show_latest_release(campaign=visible_campaign(request, slug))
        return Response(status=204)
