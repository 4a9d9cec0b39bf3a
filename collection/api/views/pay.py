"""A campaign's budget and its pay: previews, approval, extra pay and corrections."""

from functools import partial
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api.serializers import pay as serializers
from collection.api.views.campaigns import visible_campaign
from collection.core.costs import preview
from collection.services import budget
from collection.services import pay as services
from winoplatform.api.permissions import IsCurator
from winoplatform.api.schema import answer_example, operation, refusal_example, request_example
from winoplatform.api.views import validated
from workers.api.callers import caller
from workers.api.serializers import LedgerEntrySerializer
from workers.api.views import ENTRY
from workers.models import LedgerEntry

TAG = "pay"
KEY = "0f8e2d7c-55a1-4f0e-8a51-0b1f2a7f4c33"
WORKER = ENTRY["worker"]
EXHAUSTED = refusal_example(
    409,
    "budget_exhausted",
    "This campaign has handed out all the work it can pay for. Look in again later: work that "
    "others give back comes free, and its curators may raise the budget.",
)
STATE = {
    "currency": "USD",
    "cap": "500.00",
    "owed": "120.40",
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


class BudgetView(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_budget",
        tag=TAG,
        answers={200: serializers.BudgetSerializer},
        refusals=[403, 404],
        examples=[answer_example("with a cap", STATE)],
    )
    def get(self, request: Request, slug: str) -> Response:
        """What a campaign owes, has promised and has left."""
        state = budget.state(visible_campaign(request, slug))
        return Response(serializers.BudgetSerializer(state).data)


class CostView(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_cost",
        tag=TAG,
        answers={200: serializers.CostSerializer},
        refusals=[400, 403, 404],
        parameters=[serializers.CostQuerySerializer],
        examples=[answer_example("a thousand twins", COST)],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Preview what a number of twins costs by the campaign's rates, kind by kind."""
        campaign = visible_campaign(request, slug)
        query = serializers.CostQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        cost = preview(budget.rates_of(campaign), **query.validated_data)
        shown = {name: getattr(cost, name) for name in ("twins", "lines", "total", "per_twin")}
        return Response(serializers.CostSerializer(shown | {"currency": campaign.currency}).data)


class Approve(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_approve_pay",
        tag=TAG,
        request=serializers.ApproveSerializer,
        answers={200: serializers.ApprovedSerializer},
        refusals=[400, 403, 404],
        examples=[
            request_example("up to a moment", {"until": "2026-01-31T00:00:00Z"}),
            answer_example("approved", {"approved": 412}),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Approve what has accrued, of everybody or one worker; again, it approves nothing more."""
        campaign = visible_campaign(request, slug)
        asked = validated(serializers.ApproveSerializer, request)
        n = services.approve_entries(campaign=campaign, by=caller(request), **asked)
        return Response(serializers.ApprovedSerializer({"approved": n}).data)


class _Written(APIView):
    """A change that writes one entry."""

    permission_classes = [IsCurator]

    def write(self, request: Request, slug: str, form: Any, service: Any) -> Response:
        campaign = visible_campaign(request, slug)
        asked = validated(form, request)
        entry: LedgerEntry = service(campaign=campaign, by=caller(request), **asked)
        data = LedgerEntrySerializer(entry, context={"request": request}).data
        return Response(data, status=201)

    def write_extra(self, request: Request, slug: str, kind: str) -> Response:
        service = partial(services.write_extra, kind=kind)
        return self.write(request, slug, serializers.ExtraPaySerializer, service)


ASKED = {"client_key": KEY, "worker": WORKER}
REFUSED: dict[str, Any] = {"refusals": [400, 403, 404, 409]}


def _extra(name: str, *, kind: str, said: tuple[str, str], amount: str, reason: str) -> Any:
    """Describe a route that writes extra pay, by what is asked and answered in one example."""
    asked = ASKED | {"amount": amount, "reason": reason}
    entry = ENTRY | {"kind": kind, "unit": f"{kind}:{KEY}", "amount": amount, "note": reason}
    return operation(
        name,
        tag=TAG,
        request=serializers.ExtraPaySerializer,
        answers={201: LedgerEntrySerializer},
        **REFUSED,
        examples=[
            request_example(said[0], asked),
            answer_example(said[1], entry, status=201),
            EXHAUSTED,
        ],
    )


class Bonuses(_Written):
    @_extra(
        "campaigns_give_bonus",
        kind="bonus",
        said=("a bonus", "owed"),
        amount="2.00",
        reason="The best triggers.",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Owe a worker something extra, for a reason that they read."""
        return self.write_extra(request, slug, LedgerEntry.Kind.BONUS)


class Adjustments(_Written):
    @_extra(
        "campaigns_adjust",
        kind="adjustment",
        said=("a mistake", "corrected"),
        amount="-0.40",
        reason="Paid twice.",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Correct what a worker is owed, up or down, for a reason that they read."""
        return self.write_extra(request, slug, LedgerEntry.Kind.ADJUSTMENT)


class VoidEntry(_Written):
    @operation(
        "campaigns_void_entry",
        tag=TAG,
        request=serializers.VoidSerializer,
        answers={201: LedgerEntrySerializer},
        **REFUSED,
        examples=[
            request_example(
                "an entry",
                {"worker": WORKER, "kind": "twin", "unit": ENTRY["unit"], "reason": "A test."},
            ),
            answer_example(
                "cancelled",
                ENTRY
                | {"kind": "adjustment", "amount": "-0.40", "state": "void", "note": "A test."},
                status=201,
            ),
            refusal_example(
                409,
                "entry_settled",
                "This entry has left the platform with a payout; write an adjustment instead.",
            ),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Cancel an entry that no payout holds; the answer is what cancels it."""
        return self.write(request, slug, serializers.VoidSerializer, services.void_entry)
