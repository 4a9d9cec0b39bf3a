"""Reconciliation of the ledger, and hourly rates."""

from typing import Any

from django.http import Http404
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from collection.api.views.campaigns import visible_campaign
from collection.models import Campaign
from validation.api.serializers import people as serializers
from validation.selectors.rates import hourly_report
from validation.selectors.reconciliation import check_ledger
from winoplatform.api.filters import named
from winoplatform.api.views import CuratorView, validated_query
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.models import User

TAG = "pay"


class CheckLedger(CuratorView):
    reads = Right.PAY
    gives = serializers.LedgerCheckSerializer
    query = serializers.CheckQuerySerializer
    refuses = 404

    def get(self, request: Request) -> Any:
        """Say whether every piece of work has exactly its entry, and every entry its work, now."""
        query = validated_query(serializers.CheckQuerySerializer, request)
        name = query.get("campaign")
        campaigns = Campaign.objects.visible_to(caller(request))
        campaign = campaigns.filter(named(name)).first() if name else None
        if name and campaign is None:
            raise Http404
        if campaign is None and caller(request).role != User.Role.ADMIN:
            raise ValidationError({"campaign": "Name a campaign; only admins check all of them."})
        return check_ledger(campaign)


class HourlyRatesOfCampaign(CuratorView):
    reads = Right.PAY
    gives = serializers.HourlyReportSerializer

    def get(self, request: Request, slug: str) -> Any:
        """Return the hourly rates of writing and validating, and the workers below the floor."""
        campaign = visible_campaign(request, slug)
        rates = hourly_report(campaign)
        return {
            "currency": campaign.currency,
            "floor": campaign.hourly_floor,
            "writing": rates.writing,
            "validating": rates.validating,
        }
