"""Advice on a twin before it is handed in."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection import services
from collection.api import examples
from collection.api.serializers import campaigns as serializers
from collection.api.views.campaigns import TAG, twin_text, visible_campaign
from collection.models import Twin
from winoplatform.api.schema import answer_example, operation, request_example
from winoplatform.api.views import validated
from workers.api.callers import caller


def _revised(request: Request, draft: dict[str, Any]) -> Twin | None:
    assignment = draft.get("assignment")
    if assignment is None:
        return None
    mine = Twin.objects.standing().filter(author=caller(request))
    return mine.filter(assignment__public_id=assignment).first()


class AdviseTwin(APIView):
    @operation(
        "campaigns_advise",
        tag=TAG,
        request=serializers.UnfinishedTwinSerializer,
        answers={200: serializers.FindingSerializer(many=True)},
        refusals=[400, 404],
        examples=[
            request_example("a twin", examples.TWIN),
            answer_example("much like another one", examples.ADVICE),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """What may be wrong with a twin that breaks no rule; nothing is stored.

        With the assignment of a twin that one revises, that twin itself does not count.
        """
        campaign = visible_campaign(request, slug)
        draft = validated(serializers.UnfinishedTwinSerializer, request)
        text = twin_text(draft)
        findings = services.advise(
            campaign=campaign,
            text=text,
            author=caller(request),
            leave_out=_revised(request, draft),
        )
        shown = [finding.as_dict() for finding in findings]
        return Response(serializers.FindingSerializer(shown, many=True).data)
