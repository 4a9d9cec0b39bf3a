"""Guidelines, consent and eligibility."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection import services
from collection.api.serializers import joining as serializers
from collection.api.views.campaigns import visible_campaign
from collection.models import Guideline
from collection.services.joining.access import eligibility
from winoplatform.api.permissions import CuratorsChange
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ListView, validated, validated_query
from workers.api.callers import caller


class Guidelines(ListView):
    """List the versions of a campaign's guidelines, newest first; the newest applies."""

    queryset = Guideline.objects.all()
    serializer_class = serializers.GuidelineSerializer
    permission_classes = [CuratorsChange]
    takes = serializers.NewGuidelineSerializer

    def visible(self, rows: Any) -> QuerySet[Guideline]:
        campaign = visible_campaign(self.request, self.kwargs["slug"])
        found: QuerySet[Guideline] = rows.filter(campaign=campaign)
        return found

    def post(self, request: Request, slug: str) -> Response:
        """Publish a new version; writers must accept it before they get another article."""
        fields = validated(serializers.NewGuidelineSerializer, request)
        guideline = services.publish_guideline(
            campaign=visible_campaign(request, slug), by=caller(request), **fields
        )
        return Response(serializers.GuidelineSerializer(guideline).data, status=201)


class AcceptGuidelines(APIView):
    takes = serializers.AcceptanceSerializer
    gives = serializers.ConsentSerializer
    refuses = Refusal("guideline_outdated")

    def post(self, request: Request, slug: str) -> Response:
        """Accept a version of the guidelines for one kind of work; repeating it changes nothing."""
        consent = services.accept_guideline(
            worker=caller(request),
            campaign=visible_campaign(request, slug),
            **validated(serializers.AcceptanceSerializer, request),
        )
        return Response(serializers.ConsentSerializer(consent).data)


class EligibilityView(APIView):
    gives = serializers.EligibilitySerializer
    query = serializers.SkillSerializer

    def get(self, request: Request, slug: str) -> Response:
        """Return whether the user may write or validate in a campaign, and the steps left."""
        skill = validated_query(serializers.SkillSerializer, request)["skill"]
        found = eligibility(caller(request), visible_campaign(request, slug), skill=skill)
        return Response(serializers.EligibilitySerializer(found).data)
