"""Withdraw or revise a twin, until its first vote."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection import services
from collection.api import examples
from collection.api.serializers import authoring as serializers
from collection.api.views.assignments import own_twins
from collection.api.views.campaigns import twin_text
from collection.selectors.writing import hourly_rates
from winoplatform.api.schema import Refusal
from winoplatform.api.views import validated
from workers.api.callers import caller

VALIDATED = Refusal("already_validated", "This twin already has a vote, so it cannot be changed.")


class WithdrawTwin(APIView):
    gives = serializers.TwinSerializer
    refuses = VALIDATED
    answer_examples = {"withdrawn": examples.WITHDRAWN_TWIN}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Withdraw a twin and reverse its pay; repeating it changes nothing."""
        twin = services.withdraw_twin(worker=caller(request), twin_id=id)
        return Response(serializers.TwinSerializer(own_twins(request).get(pk=twin.pk)).data)


class ReviseTwin(APIView):
    takes = serializers.SubmissionSerializer
    gives = serializers.TwinSerializer
    success = (201, 200)
    refuses = [403, VALIDATED]
    request_examples = {"a better twin": {"client_key": examples.CLIENT_KEY, **examples.TWIN}}
    answer_examples = {"revised": examples.REVISED_TWIN}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Replace a twin's text: 201 with the new twin, or 200 if the text is unchanged."""
        form = validated(serializers.SubmissionSerializer, request)
        again = own_twins(request).filter(client_key=form["client_key"]).exists()
        twin = services.revise_twin(
            worker=caller(request),
            twin_id=id,
            text=twin_text(form),
            client_key=form["client_key"],
        )
        body = serializers.TwinSerializer(own_twins(request).get(pk=twin.pk)).data
        return Response(body, status=200 if again or twin.client_key != form["client_key"] else 201)


class HourlyRates(APIView):
    gives = [serializers.HourlyRateSerializer]
    answer_examples = {
        "twelve twins": {"amount": "9.60", "currency": "USD", "twins": 12, "seconds": 1800}
    }

    def get(self, request: Request) -> Response:
        """Return the user's hourly rate of writing, by currency; empty without counted time."""
        rates = hourly_rates(caller(request))
        return Response(serializers.HourlyRateSerializer(rates, many=True).data)
