"""The rate at which a user writes."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api.serializers import authoring as serializers
from collection.selectors.writing import hourly_rates
from workers.api.callers import caller


class HourlyRates(APIView):
    gives = [serializers.HourlyRateSerializer]
    answer_examples = {
        "twelve twins": {"amount": "9.60", "currency": "USD", "twins": 12, "seconds": 1800}
    }

    def get(self, request: Request) -> Response:
        """Return the user's hourly rate of writing, by currency; empty without counted time."""
        rates = hourly_rates(caller(request))
        return Response(serializers.HourlyRateSerializer(rates, many=True).data)
