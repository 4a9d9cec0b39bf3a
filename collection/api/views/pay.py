"""Pay of a campaign, and its payouts."""

import uuid
from functools import partial
from typing import Any

from rest_framework.request import Request

from collection.api.filters import PayoutFilter
from collection.api.serializers import pay as serializers
from collection.api.views.campaigns import visible_campaign
from collection.core.costs import preview
from collection.exports.payouts import payout_response
from collection.services.campaigns import budget
from collection.services.campaigns import pay as services
from winoplatform.api.permissions import IsCurator
from winoplatform.api.schema import File, Refusal
from winoplatform.api.views import (
    CuratorFile,
    CuratorView,
    DetailView,
    ListView,
    validated_query,
)
from winoplatform.errors import existing
from winoplatform.http.rights import Right
from winoplatform.http.scopes import PAY
from workers import services as workers
from workers.api.callers import caller
from workers.api.serializers import LedgerEntrySerializer
from workers.models import AuditEvent, LedgerEntry, Payout

TAG = "pay"
EXHAUSTED = Refusal("budget_exhausted")


class BudgetView(CuratorView):
    reads = Right.PAY
    gives = serializers.BudgetSerializer

    def get(self, request: Request, slug: str) -> Any:
        """Return what a campaign owes, has promised and has left."""
        return budget.state(visible_campaign(request, slug))


class CostView(CuratorView):
    reads = Right.PAY
    gives = serializers.CostSerializer
    query = serializers.CostQuerySerializer

    def get(self, request: Request, slug: str) -> Any:
        """Preview the cost of a number of twins by the campaign's rates, by kind of work."""
        campaign = visible_campaign(request, slug)
        query = validated_query(serializers.CostQuerySerializer, request)
        cost = preview(budget.rates_of(campaign), **query)
        body = {name: getattr(cost, name) for name in ("twins", "lines", "total", "per_twin")}
        return body | {"currency": campaign.currency}


class Approve(CuratorView):
    scope = PAY
    reads = changes = Right.PAY
    asks_password = ("POST",)
    takes = serializers.ApproveSerializer
    gives = serializers.ApprovedSerializer

    def post(self, request: Request, slug: str) -> Any:
        """Approve accrued entries of all workers or of one; repeating it changes nothing."""
        campaign = visible_campaign(request, slug)
        n = services.approve_entries(campaign=campaign, by=caller(request), **self.body())
        return {"approved": n}


class _Written(CuratorView):
    """A change that writes one entry."""

    scope = PAY
    reads = changes = Right.PAY
    takes: Any = serializers.ExtraPaySerializer
    gives = LedgerEntrySerializer
    success = 201
    refuses = EXHAUSTED
    service: Any

    def post(self, request: Request, slug: str) -> Any:
        campaign = visible_campaign(request, slug)
        return self.service(campaign=campaign, by=caller(request), **self.body())


class Bonuses(_Written):
    """Write a bonus for a worker, with a reason that they read."""

    service = staticmethod(partial(services.write_extra, kind=LedgerEntry.Kind.BONUS))


class Adjustments(_Written):
    """Write an adjustment of a worker's pay, up or down, with a reason that they read."""

    service = staticmethod(partial(services.write_extra, kind=LedgerEntry.Kind.ADJUSTMENT))


OWN = Refusal("own_pay", status=403)


class SecondApproval(CuratorView):
    scope = PAY
    reads = changes = Right.PAY
    asks_password = ("POST",)
    takes = serializers.SecondApprovalSerializer
    gives = LedgerEntrySerializer
    refuses = [OWN, Refusal("no_second_approval"), Refusal("entry_settled")]

    def post(self, request: Request, slug: str) -> Any:
        """Approve a bonus or an adjustment as a second curator; its writer cannot."""
        campaign = visible_campaign(request, slug)
        return workers.approve_extra(budget=campaign.public_id, by=caller(request), **self.body())


class VoidEntry(_Written):
    """Cancel an entry that is in no payout; returns the reversing entry."""

    takes = serializers.VoidSerializer
    service = staticmethod(services.void_entry)
    refuses = Refusal("entry_settled")


MISSING = Refusal("second_approval_missing")


class Payouts(ListView):
    """List the payouts, newest first."""

    reads = Right.PAY
    queryset = Payout.objects.with_sums().select_related("second_approval__by")
    serializer_class = serializers.PayoutSerializer
    filterset_class = PayoutFilter
    permission_classes = [IsCurator]


class OnePayout(DetailView):
    """Return one payout with the names of its files."""

    reads = Right.PAY
    queryset = Payout.objects.with_sums()
    serializer_class = serializers.PayoutDetailSerializer
    permission_classes = [IsCurator]


def visible_payout(request: Request, public_id: uuid.UUID) -> Payout:
    """Return a payout of a campaign whose pay the user may see."""
    rows = Payout.objects.visible_to(caller(request))
    return existing(rows.filter(public_id=public_id).first(), "payout")


def with_sums(payout: Payout) -> Payout:
    return Payout.objects.with_sums().get(pk=payout.pk)


class ExportPayout(CuratorView):
    scope = PAY
    reads = changes = Right.PAY
    asks_password = ("POST",)
    takes = serializers.NewPayoutSerializer
    gives = serializers.PayoutDetailSerializer
    success = 201
    refuses = Refusal("nothing_to_pay")

    def post(self, request: Request, slug: str) -> Any:
        """Create a payout of the approved pay that a provider can pay."""
        campaign = visible_campaign(request, slug)
        return with_sums(
            services.export_payout(campaign=campaign, by=caller(request), **self.body())
        )


class PayoutFileView(CuratorFile):
    scope = PAY
    reads = changes = Right.PAY
    audits = AuditEvent.Kind.PAY_FILE
    gives = File("text/csv")
    refuses = MISSING

    def get(self, request: Request, id: uuid.UUID, name: str) -> Any:
        """Return one of a payout's files; every request returns the same bytes."""
        return payout_response(visible_payout(request, id), name, caller(request))


class PayoutSecondApproval(CuratorView):
    scope = PAY
    reads = changes = Right.PAY
    asks_password = ("POST",)
    gives = serializers.PayoutDetailSerializer
    refuses = [OWN, Refusal("no_second_approval")]

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Approve a payout as a second curator; its creator cannot."""
        payout = visible_payout(request, id)
        return with_sums(workers.approve_payout(payout_id=payout.public_id, by=caller(request)))


class PayoutPaid(CuratorView):
    scope = PAY
    reads = changes = Right.PAY
    asks_password = ("POST",)
    takes = serializers.PaidSerializer
    gives = serializers.PayoutDetailSerializer
    refuses = Refusal("reports_contradict")

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Mark a payout as paid; contradicting reports have to be confirmed."""
        payout = visible_payout(request, id)
        return with_sums(
            services.mark_paid(payout_id=payout.public_id, by=caller(request), **self.body())
        )


class PayoutCancel(CuratorView):
    scope = PAY
    reads = changes = Right.PAY
    gives = serializers.PayoutDetailSerializer
    refuses = Refusal("payout_paid")

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Cancel a payout that was not sent: its entries are approved again."""
        payout = visible_payout(request, id)
        return with_sums(workers.cancel_payout(payout_id=payout.public_id, by=caller(request)))
