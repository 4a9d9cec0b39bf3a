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
from winoplatform.http.scopes import PAY
from workers import services as workers
from workers.api.callers import caller
from workers.api.serializers import LedgerEntrySerializer
from workers.models import LedgerEntry

TAG = "pay"
EXHAUSTED = Refusal("budget_exhausted")


class BudgetView(CuratorView):
    gives = serializers.BudgetSerializer

    def get(self, request: Request, slug: str) -> Response:
        """Return what a campaign owes, has promised and has left."""
        state = budget.state(visible_campaign(request, slug))
        return Response(serializers.BudgetSerializer(state).data)


class CostView(CuratorView):
    gives = serializers.CostSerializer
    query = serializers.CostQuerySerializer

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

    def post(self, request: Request, slug: str) -> Response:
        """Approve accrued entries of all workers or of one; repeating it changes nothing."""
        campaign = visible_campaign(request, slug)
        asked = validated(serializers.ApproveSerializer, request)
        n = services.approve_entries(campaign=campaign, by=caller(request), **asked)
        return Response(serializers.ApprovedSerializer({"approved": n}).data)


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


class Adjustments(_Written):
    """Write an adjustment of a worker's pay, up or down, with a reason that they read."""

    service = staticmethod(partial(services.write_extra, kind=LedgerEntry.Kind.ADJUSTMENT))


OWN = Refusal("own_pay", status=403)


class SecondApproval(CuratorView):
    scope = PAY
    asks_password = ("POST",)
    takes = serializers.SecondApprovalSerializer
    gives = LedgerEntrySerializer
    refuses = [OWN, Refusal("no_second_approval"), Refusal("entry_settled")]

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
    refuses = Refusal("entry_settled")
