"""Payouts: pay is exported as files, and then marked as paid or cancelled."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.filters import PayoutFilter
from collection.api.serializers import pay as serializers
from collection.api.views.campaigns import visible_campaign
from collection.api.views.pay import KEY, OWN
from collection.exports.payouts import payout_response
from collection.services.campaigns import pay as services
from winoplatform.api.permissions import IsCurator
from winoplatform.api.schema import File, Refusal
from winoplatform.api.views import (
    CuratorFile,
    CuratorView,
    DetailView,
    ListView,
    validated,
)
from winoplatform.scopes import PAY
from workers import services as workers
from workers.api.callers import caller
from workers.models import AuditEvent, Payout

TAG = "pay"
PAYOUT_ID = "7c1a5c0e-6c43-4c56-9a0c-3f3a9d1f0b52"
PAYOUT = {
    "id": PAYOUT_ID,
    "campaign": "df3974a3-18bb-42a2-b83f-e856b82428c3",
    "provider": "any",
    "status": "exported",
    "currency": "USD",
    "n_workers": 14,
    "sum": "112.30",
    "awaits_second_approval": False,
    "second_approval_by": None,
    "created_at": "2026-01-31T09:00:00Z",
    "ended_at": None,
}
WITH_FILES = PAYOUT | {
    "files": [{"name": f"payout-{PAYOUT_ID}.csv", "study": None}],
    "contradicting": [],
    "reports": "",
}
MISSING = Refusal(
    "second_approval_missing",
    "A second curator has to approve this payout before it is paid.",
)
ENDED = {"ended_at": "2026-02-02T09:00:00Z"}


class Payouts(ListView):
    """List the payouts, newest first."""

    queryset = Payout.objects.with_sums().select_related("second_approval__by")
    serializer_class = serializers.PayoutSerializer
    filterset_class = PayoutFilter
    permission_classes = [IsCurator]
    answer_examples = {"on its way": PAYOUT}


class OnePayout(DetailView):
    """Return one payout with the names of its files."""

    queryset = Payout.objects.with_sums()
    serializer_class = serializers.PayoutDetailSerializer
    permission_classes = [IsCurator]
    answer_examples = {"on its way": WITH_FILES}


def shown(payout: Payout) -> Any:
    found = Payout.objects.with_sums().get(pk=payout.pk)
    return serializers.PayoutDetailSerializer(found).data


class ExportPayout(CuratorView):
    scope = PAY
    asks_password = ("POST",)
    takes = serializers.NewPayoutSerializer
    gives = serializers.PayoutDetailSerializer
    success = 201
    refuses = Refusal(
        "nothing_to_pay",
        "There is no approved pay for this payment method. Approve entries first. Work that a "
        "crowd platform pays itself and negative balances are not included.",
    )
    request_examples = {"any way": {"client_key": KEY, "provider": "any"}}
    answer_examples = {"exported": WITH_FILES}

    def post(self, request: Request, slug: str) -> Response:
        """Create a payout of the approved pay that a provider can pay."""
        campaign = visible_campaign(request, slug)
        asked = validated(serializers.NewPayoutSerializer, request)
        payout = services.export_payout(campaign=campaign, by=caller(request), **asked)
        return Response(shown(payout), status=201)


class PayoutFileView(CuratorFile):
    scope = PAY
    audits = AuditEvent.Kind.PAY_FILE
    gives = File("text/csv")
    refuses = MISSING

    def get(self, request: Request, id: uuid.UUID, name: str) -> Any:
        """Return one of a payout's files; every request returns the same bytes."""
        return payout_response(workers.payout_named(id), name)


class PayoutSecondApproval(CuratorView):
    scope = PAY
    asks_password = ("POST",)
    gives = serializers.PayoutDetailSerializer
    refuses = [
        OWN,
        Refusal("no_second_approval", "This needs no second approval."),
    ]
    answer_examples = {"approved": WITH_FILES | {"second_approval_by": "w-ba9876543210"}}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Approve a payout as a second curator; its creator cannot."""
        return Response(shown(workers.approve_payout(payout_id=id, by=caller(request))))


class PayoutPaid(CuratorView):
    scope = PAY
    asks_password = ("POST",)
    takes = serializers.PaidSerializer
    gives = serializers.PayoutDetailSerializer
    refuses = Refusal(
        "reports_contradict",
        "The platform reports sessions that contradict this payout. Look at the list and confirm "
        "it, or cancel the payout and void the entries that are not paid.",
    )
    request_examples = {"no report contradicts it": {"reports": ""}}
    answer_examples = {"paid": WITH_FILES | ENDED | {"status": "paid"}}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Mark a payout as paid; contradicting reports have to be confirmed."""
        asked = validated(serializers.PaidSerializer, request)
        return Response(shown(services.mark_paid(payout_id=id, by=caller(request), **asked)))


class PayoutCancel(CuratorView):
    scope = PAY
    gives = serializers.PayoutDetailSerializer
    refuses = Refusal(
        "payout_paid",
        "This payout is already paid. Correct mistakes with adjustments.",
    )
    answer_examples = {"cancelled": WITH_FILES | ENDED | {"status": "cancelled"}}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Cancel a payout that was not sent: its entries are approved again."""
        return Response(shown(workers.cancel_payout(payout_id=id, by=caller(request))))
