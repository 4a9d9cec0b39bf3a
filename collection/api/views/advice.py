"""Advice on a twin before it is submitted."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection import services
from collection.api import examples
from collection.api.serializers import campaigns as serializers
from collection.api.views.campaigns import twin_text
from winoplatform.api.schema import Refusal
from winoplatform.api.views import validated
from workers.api.callers import caller


class AdviseTwin(APIView):
    takes = serializers.UnfinishedTwinSerializer
    gives = [serializers.FindingSerializer]
    refuses = [403, 410, Refusal("assignment_ended", "You returned this assignment.")]
    request_examples = {"a twin": examples.TWIN}
    answer_examples = {"similar to another twin": examples.ADVICE}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Return advice on a twin that breaks no rule; nothing is stored.

        For an assignment of the user that is open, or whose twin may be revised now; that twin is
        left out of the comparison.
        """
        text = twin_text(validated(serializers.UnfinishedTwinSerializer, request))
        findings = services.advise_writer(worker=caller(request), assignment_id=id, text=text)
        shown = [finding.for_author() for finding in findings]
        return Response(serializers.FindingSerializer(shown, many=True).data)
