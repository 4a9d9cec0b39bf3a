"""Reconciliation of the ledger, and hourly rates."""

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.views.campaigns import visible_campaign
from collection.models import Campaign
from validation.api.serializers import pay as serializers
from validation.selectors.rates import hourly_report
from validation.selectors.reconciliation import check_ledger
from winoplatform.api.filters import named
from winoplatform.api.views import CuratorView, validated_query

TAG = "pay"
CHECK = {
    "reconciled": False,
    "entries": 1204,
    "counts": {"twin": 200, "vote": 1004, "payout": 14},
    "problems": [
        {
            "code": "unpaid",
            "sentence": "Work without an entry.",
            "count": 1,
            "examples": [
                {
                    "campaign": "df3974a3-18bb-42a2-b83f-e856b82428c3",
                    "worker": "w-0123456789ab",
                    "kind": "vote",
                    "unit": "2d0a6671-afa7-4915-aa0a-22b04c88e04f",
                    "expected": "0.03",
                    "found": None,
                }
            ],
        }
    ],
}
LOW = {
    "worker": "w-0123456789ab",
    "rate": "4.80",
    "pay": "2.40",
    "seconds": 1800.0,
    "units": 6,
}
RATES = {
    "currency": "USD",
    "floor": "9.00",
    "writing": {
        "median": "9.60",
        "low": "8.40",
        "high": "11.20",
        "n_workers": 12,
        "n_units": 340,
        "below": [LOW],
    },
    "validating": {
        "median": None, "low": None, "high": None, "n_workers": 0, "n_units": 0, "below": [],
    },
}  # fmt: skip


class CheckLedger(CuratorView):
    gives = serializers.LedgerCheckSerializer
    query = serializers.CheckQuerySerializer
    refuses = 404
    answer_examples = {"a vote that has no entry": CHECK}

    def get(self, request: Request) -> Response:
        """Say whether every piece of work has exactly its entry, and every entry its work, now."""
        query = validated_query(serializers.CheckQuerySerializer, request)
        name = query.get("campaign")
        campaign = Campaign.objects.filter(named(name)).first() if name else None
        if name and campaign is None:
            raise Http404
        return Response(serializers.LedgerCheckSerializer(check_ledger(campaign)).data)


class HourlyRatesOfCampaign(CuratorView):
    gives = serializers.HourlyReportSerializer
    answer_examples = {"one writer below the floor": RATES}

    def get(self, request: Request, slug: str) -> Response:
        """Return the hourly rates of writing and validating, and the workers below the floor."""
        campaign = visible_campaign(request, slug)
        found = hourly_report(campaign)
        shown = {
            "currency": campaign.currency,
            "floor": campaign.hourly_floor,
            "writing": found.writing,
            "validating": found.validating,
        }
        return Response(serializers.HourlyReportSerializer(shown).data)
