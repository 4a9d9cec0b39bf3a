"""A campaign's budget and its pay: previews, approval, extra pay and corrections."""

from functools import partial
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.serializers import pay as serializers
from collection.api.views.campaigns import visible_campaign
from collection.core.costs import preview
from collection.services.campaigns import budget
from collection.services.campaigns import pay as services
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, validated, validated_query
from winoplatform.scopes import PAY
from workers import services as workers
from workers.api.callers import caller
from workers.api.serializers import LedgerEntrySerializer
from workers.api.views import ENTRY
from workers.models import LedgerEntry

TAG = "pay"
KEY = "0f8e2d7c-55a1-4f0e-8a51-0b1f2a7f4c33"
WORKER = ENTRY["worker"]
EXHAUSTED = Refusal(
    "budget_exhausted",
    "All work that this campaign can pay for is assigned. Please check again later: returned "
    "work becomes available, and curators can raise the budget.",
)
STATE = {
    "currency": "USD",
    "cap": "500.00",
    "owed": "120.40",
    "overpaid": "0.00",
    "promised": "31.02",
    "committed": "151.42",
    "left": "348.58",
    "twin": "0.58",
    "twins_left": 601,
}
COST = {
    "twins": 1000,
    "currency": "USD",
    "lines": [
        {"kind": "twin", "count": 1000, "rate": "0.40", "amount": "400.00"},
        {"kind": "vote", "count": 6000, "rate": "0.03", "amount": "180.00"},
    ],
    "total": "580.00",
    "per_twin": "0.58",
}


class BudgetView(CuratorView):
    gives = serializers.BudgetSerializer
    answer_examples = {"with a cap": STATE}

    def get(self, request: Request, slug: str) -> Response:
        """Return what a campaign owes, has promised and has left."""
        state = budget.state(visible_campaign(request, slug))
        return Response(serializers.BudgetSerializer(state).data)


class CostView(CuratorView):
    gives = serializers.CostSerializer
    query = serializers.CostQuerySerializer
    answer_examples = {"a thousand twins": COST}

    def get(self, request: Request, slug: str) -> Response:
        """Preview the cost of a number of twins by the campaign's rates, by kind of work."""
        campaign = visible_campaign(request, slug)
        query = validated_query(serializers.CostQuerySerializer, request)
        cost = preview(budget.rates_of(campaign), **query)
        shown = {name: getattr(cost, name) for name in ("twins", "lines", "total", "per_twin")}
        return Response(serializers.CostSerializer(shown | {"currency": campaign.currency}).data)


class Approve(CuratorView):
    scope = PAY
    asks_password = ("POST",)
    takes = serializers.ApproveSerializer
    gives = serializers.ApprovedSerializer
    request_examples = {"up to a time": {"until": "2026-01-31T00:00:00Z"}}
    answer_examples = {"approved": {"approved": 412}}

    def post(self, request: Request, slug: str) -> Response:
        """Approve accrued entries of all workers or of one; repeating it changes nothing."""
        campaign = visible_campaign(request, slug)
        asked = validated(serializers.ApproveSerializer, request)
        n = services.approve_entries(campaign=campaign, by=caller(request), **asked)
        return Response(serializers.ApprovedSerializer({"approved": n}).data)


ASKED = {"client_key": KEY, "worker": WORKER}


class _Written(CuratorView):
    scope = PAY
    """A change that writes one entry."""

    takes: Any = serializers.ExtraPaySerializer
    gives = LedgerEntrySerializer
    success = 201
    refuses = EXHAUSTED
    service: Any

    def post(self, request: Request, slug: str) -> Response:
        campaign = visible_campaign(request, slug)
        asked = validated(self.takes, request)
        entry = self.service(campaign=campaign, by=caller(request), **asked)
        data = LedgerEntrySerializer(entry, context={"request": request}).data
        return Response(data, status=201)


class Bonuses(_Written):
    """Write a bonus for a worker, with a reason that they read."""

    service = staticmethod(partial(services.write_extra, kind=LedgerEntry.Kind.BONUS))
    request_examples = {"a bonus": ASKED | {"amount": "2.00", "reason": "The best triggers."}}
    answer_examples = {
        "owed": ENTRY
        | {"kind": "bonus", "unit": f"bonus:{KEY}", "amount": "2.00", "note": "The best triggers."}
    }


class Adjustments(_Written):
    """Write an adjustment of a worker's pay, up or down, with a reason that they read."""

    service = staticmethod(partial(services.write_extra, kind=LedgerEntry.Kind.ADJUSTMENT))
    request_examples = {"a mistake": ASKED | {"amount": "-0.40", "reason": "Paid twice."}}
    answer_examples = {
        "corrected": ENTRY
        | {
            "kind": "adjustment",
            "unit": f"adjustment:{KEY}",
            "amount": "-0.40",
            "note": "Paid twice.",
        }
    }


OWN = Refusal("own_pay", "You wrote this yourself. Another curator has to approve it.", status=403)


class SecondApproval(CuratorView):
    scope = PAY
    asks_password = ("POST",)
    takes = serializers.SecondApprovalSerializer
    gives = LedgerEntrySerializer
    refuses = [
        OWN,
        Refusal("no_second_approval", "This needs no second approval."),
        Refusal("entry_settled", "This entry is void, so nothing of it will be paid."),
    ]
    request_examples = {"a bonus": {"kind": "bonus", "unit": f"bonus:{KEY}"}}
    answer_examples = {
        "approved": ENTRY | {"kind": "bonus", "unit": f"bonus:{KEY}", "amount": "200.00"}
    }

    def post(self, request: Request, slug: str) -> Response:
        """Approve a bonus or an adjustment as a second curator; its writer cannot."""
        campaign = visible_campaign(request, slug)
        asked = validated(serializers.SecondApprovalSerializer, request)
        entry = workers.approve_extra(budget=campaign.public_id, by=caller(request), **asked)
        return Response(LedgerEntrySerializer(entry, context={"request": request}).data)


class VoidEntry(_Written):
    """Cancel an entry that is in no payout; returns the reversing entry."""

    takes = serializers.VoidSerializer
    service = staticmethod(services.void_entry)
    refuses = Refusal(
        "entry_settled",
        "This entry is already in a payout. Add an adjustment instead.",
    )
    request_examples = {
        "an entry": {"worker": WORKER, "kind": "twin", "unit": ENTRY["unit"], "reason": "A test."}
    }
    answer_examples = {
        "cancelled": ENTRY
        | {"kind": "adjustment", "amount": "-0.40", "state": "void", "note": "A test."}
    }
