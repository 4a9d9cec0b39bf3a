"""Payouts: pay is exported as files, and then marked as paid or cancelled."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.filters import PayoutFilter
from collection.api.serializers import pay as serializers
from collection.api.views.campaigns import visible_campaign
from collection.api.views.pay import OWN
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
from winoplatform.http.scopes import PAY
from workers import services as workers
from workers.api.callers import caller
from workers.models import AuditEvent, Payout

TAG = "pay"
MISSING = Refusal("second_approval_missing")


class Payouts(ListView):
    """List the payouts, newest first."""

    queryset = Payout.objects.with_sums().select_related("second_approval__by")
    serializer_class = serializers.PayoutSerializer
    filterset_class = PayoutFilter
    permission_classes = [IsCurator]


class OnePayout(DetailView):
    """Return one payout with the names of its files."""

    queryset = Payout.objects.with_sums()
    serializer_class = serializers.PayoutDetailSerializer
    permission_classes = [IsCurator]


def shown(payout: Payout) -> Any:
    found = Payout.objects.with_sums().get(pk=payout.pk)
    return serializers.PayoutDetailSerializer(found).data


class ExportPayout(CuratorView):
    scope = PAY
    asks_password = ("POST",)
    takes = serializers.NewPayoutSerializer
    gives = serializers.PayoutDetailSerializer
    success = 201
    refuses = Refusal("nothing_to_pay")

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
    refuses = [OWN, Refusal("no_second_approval")]

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Approve a payout as a second curator; its creator cannot."""
        return Response(shown(workers.approve_payout(payout_id=id, by=caller(request))))


class PayoutPaid(CuratorView):
    scope = PAY
    asks_password = ("POST",)
    takes = serializers.PaidSerializer
    gives = serializers.PayoutDetailSerializer
    refuses = Refusal("reports_contradict")

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Mark a payout as paid; contradicting reports have to be confirmed."""
        asked = validated(serializers.PaidSerializer, request)
        return Response(shown(services.mark_paid(payout_id=id, by=caller(request), **asked)))


class PayoutCancel(CuratorView):
    scope = PAY
    gives = serializers.PayoutDetailSerializer
    refuses = Refusal("payout_paid")

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Cancel a payout that was not sent: its entries are approved again."""
        return Response(shown(workers.cancel_payout(payout_id=id, by=caller(request))))
