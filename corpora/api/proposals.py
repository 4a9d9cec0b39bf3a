"""What waits for a second person: list it, confirm, decline or withdraw it, ask again."""

import uuid
from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from rest_framework.request import Request

from collection.models import Campaign, of_member
from corpora import services
from winoplatform.api.filters import SLUG_OR_ID, named
from winoplatform.api.permissions import IsCurator
from winoplatform.api.rows import RowSerializer
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ListView, VisibleRows
from winoplatform.http.rights import Right
from winoplatform.http.step_up import refuse_stale
from workers.api.callers import caller
from workers.models import Proposal
from workers.services import decide

Outcome = Proposal.Outcome


class ProposalSerializer(RowSerializer):
    class Meta:
        model = Proposal
        fields = (
            "id", "kind", "release", "account", "reason", "pay", "by", "created_at",
            "outcome", "decided_by", "decided_at",
        )  # fmt: skip


class ProposalFilter(filters.FilterSet):
    kind = filters.ChoiceFilter(choices=Proposal.Kind.choices)
    outcome = filters.ChoiceFilter(choices=Outcome.choices)
    campaign = filters.CharFilter(method="of_campaign", help_text=SLUG_OR_ID)

    def of_campaign(self, rows: "QuerySet[Any]", name: str, value: str) -> "QuerySet[Any]":
        # Of others, a row would tell where else a person works.
        mine = Campaign.objects.filter(named(value), of_member(self.request.user, "pk"))
        ids = mine.values_list("public_id")
        return rows.filter(campaigns__overlap=ids)


class OfProposals(VisibleRows):
    """Proposals that the user may decide: as who publishes in a campaign, as owner, or as admin."""

    queryset: Any = Proposal.objects.select_related("account", "by", "decided_by")
    serializer_class = ProposalSerializer
    permission_classes = [IsCurator]
    reads = Right.MANAGE


class Proposals(OfProposals, ListView):
    """List what a second person has to confirm, or has decided, newest first."""

    filterset_class = ProposalFilter


class Decision(OfProposals):
    refuses: Any = (Refusal("own_proposal", 403), Refusal("proposal_decided"))
    outcome: Proposal.Outcome

    def decided(self, request: Request) -> Proposal:
        return decide(proposal=self.get_object(), outcome=self.outcome, by=caller(request))


class Confirm(Decision):
    refuses = (
        *Decision.refuses,
        *map(Refusal, ("proposer_left", "proposal_outdated", "not_publishable", "not_retractable")),
    )

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Confirm a proposal as the second person, which does what it asks for.

        A session needs a recent proof of who it is to erase a person.
        """
        proposal = self.get_object()
        if proposal.kind == Proposal.Kind.ERASURE:
            refuse_stale(request._request)
        services.confirm(proposal=proposal, by=caller(request))
        proposal.refresh_from_db()
        return proposal


class Decline(Decision):
    outcome = Outcome.DECLINED

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Decline a proposal: nothing is done."""
        return self.decided(request)


class Withdraw(Decision):
    refuses = (Refusal("not_own_proposal", 403), Refusal("proposal_decided"))
    outcome = Outcome.WITHDRAWN

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Withdraw an own proposal."""
        return self.decided(request)


class AskAgain(OfProposals):
    refuses = (Refusal("already_proposed"), Refusal("not_publishable"))

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Propose once more to publish a release, after that was declined or withdrawn."""
        return services.ask_again(proposal=self.get_object(), by=caller(request))
