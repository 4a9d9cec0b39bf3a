"""Advise on, submit, withdraw and revise a twin, until its first vote; the rate of writing."""

import uuid
from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.serializers import authoring as serializers
from collection.api.serializers.campaigns import FindingSerializer, UnfinishedTwinSerializer
from collection.api.views.campaigns import twin_text
from collection.models import Twin
from collection.selectors.pay import hourly_rates
from validation import services
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ApiView
from workers.api.callers import caller

TAG = "collection"
VALIDATED = Refusal("already_validated")


class AdviseTwin(ApiView):
    takes = UnfinishedTwinSerializer
    gives = [FindingSerializer]
    refuses = [403, 410, Refusal("assignment_ended")]

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Return advice on a twin that breaks no rule; nothing is stored.

        For an assignment of the user that is open, or whose twin may be revised now; that twin is
        left out of the comparison.
        """
        text = twin_text(self.body())
        findings = services.advise_writer(worker=caller(request), assignment_id=id, text=text)
        return [finding.for_author() for finding in findings]


class SubmitTwin(ApiView):
    takes = serializers.SubmissionSerializer
    gives = serializers.TwinSerializer
    success = (201, 200)
    refuses = [409, Refusal("lease_expired", status=410)]

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Submit a twin: 201, or 200 with the first result if it was submitted before."""
        form = self.body()
        again = own_twins(request).filter(assignment__public_id=id).exists()
        twin = services.submit_twin(
            worker=caller(request),
            assignment_id=id,
            text=twin_text(form),
            client_key=form["client_key"],
        )
        body = serializers.TwinSerializer(own_twins(request).get(pk=twin.pk)).data
        return Response(body, status=200 if again else 201)


class WithdrawTwin(ApiView):
    gives = serializers.TwinSerializer
    refuses = VALIDATED

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Withdraw a twin and reverse its pay; repeating it changes nothing."""
        twin = services.withdraw_twin(worker=caller(request), twin_id=id)
        return own_twins(request).get(pk=twin.pk)


class ReviseTwin(ApiView):
    takes = serializers.SubmissionSerializer
    gives = serializers.TwinSerializer
    success = (201, 200)
    refuses = [403, VALIDATED]

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Replace a twin's text: 201 with the new twin, or 200 if the text is unchanged."""
        form = self.body()
        again = own_twins(request).filter(client_key=form["client_key"]).exists()
        twin = services.revise_twin(
            worker=caller(request),
            twin_id=id,
            text=twin_text(form),
            client_key=form["client_key"],
        )
        body = serializers.TwinSerializer(own_twins(request).get(pk=twin.pk)).data
        return Response(body, status=200 if again or twin.client_key != form["client_key"] else 201)


class HourlyRates(ApiView):
    gives = [serializers.HourlyRateSerializer]

    def get(self, request: Request) -> Any:
        """Return the user's hourly rate of writing, by currency; empty without counted time."""
        return hourly_rates(caller(request))


def own_twins(request: Request) -> QuerySet[Twin]:
    """Return the user's twins, with the relations that ``TwinSerializer`` shows."""
    own = Twin.objects.filter(author=caller(request))
    return own.select_related("campaign", "author", "revises").prefetch_related("questions")
