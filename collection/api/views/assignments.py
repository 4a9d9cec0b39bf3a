"""Writing: take an article, hand in a twin."""

import uuid
from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection import services
from collection.api import examples
from collection.api.filters import AssignmentFilter
from collection.api.serializers import authoring as serializers
from collection.api.views.campaigns import TAG, twin_text, visible_campaign
from collection.models import Assignment, Twin
from winoplatform.api.schema import answer_example, operation, refusal_example, request_example
from winoplatform.api.views import DetailView, ListView, validated
from workers.api.callers import caller


class RequestAssignment(APIView):
    @operation(
        "assignments_request",
        tag=TAG,
        request=None,
        answers={200: serializers.AssignmentSerializer},
        refusals=[403, 404, 409],
        examples=[
            refusal_example(
                409, "campaign_not_open", "“Winter” is paused and hands out no work now."
            ),
            answer_example("an article for an hour", examples.ASSIGNMENT),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take a random article for a while, or get the one that one holds already."""
        campaign = visible_campaign(request, slug)
        assignment = services.request_assignment(worker=caller(request), campaign=campaign)
        return Response(serializers.AssignmentSerializer(assignment).data)


class Assignments(ListView):
    queryset = Assignment.objects.select_related("campaign", "worker", "article").only(
        "public_id", "status", "leased_until", "created_at", "campaign__slug",
        "worker__public_id", "article__title",
    ).with_twin()  # fmt: skip
    serializer_class = serializers.AssignmentLineSerializer
    filterset_class = AssignmentFilter

    @operation(
        "assignments_list",
        tag=TAG,
        answers={200: serializers.AssignmentLineSerializer(many=True)},
        refusals=[400],
        examples=[answer_example("a twin was handed in", examples.SUBMITTED_LINE)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List one's own assignments; curators see everybody's."""
        return self.list(request)


class OneAssignment(DetailView):
    queryset = Assignment.objects.select_related("campaign", "worker", "article").with_twin()
    serializer_class = serializers.AssignmentSerializer

    @operation(
        "assignments_retrieve",
        tag=TAG,
        answers={200: serializers.AssignmentSerializer},
        refusals=[404],
        examples=[answer_example("held", examples.ASSIGNMENT)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One assignment with its article and ranked anchors."""
        return self.retrieve(request)


class ReturnAssignment(APIView):
    @operation(
        "assignments_return",
        tag=TAG,
        request=serializers.ReturnSerializer,
        answers={200: serializers.AssignmentSerializer},
        refusals=[400, 404, 409],
        examples=[
            request_example("a reason", {"reason": "unclear", "comment": ""}),
            answer_example("given back", examples.RETURNED),
        ],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Give an article back unwritten; returning it twice is the same as once."""
        why = validated(serializers.ReturnSerializer, request)
        assignment = services.return_assignment(worker=caller(request), assignment_id=id, **why)
        return Response(serializers.AssignmentSerializer(assignment).data)


class AnotherArticle(APIView):
    @operation(
        "assignments_another",
        tag=TAG,
        request=serializers.AnotherSerializer,
        answers={200: serializers.AssignmentSerializer},
        refusals=[400, 403, 404, 409],
        examples=[
            request_example("a reason", {"reason": "no_idea", "comment": ""}),
            answer_example("another article", examples.ASSIGNMENT),
        ],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Change the article for another one; the answer is the new assignment."""
        why = validated(serializers.AnotherSerializer, request)
        assignment = services.another_article(worker=caller(request), assignment_id=id, **why)
        return Response(serializers.AssignmentSerializer(assignment).data)


class RenewAssignment(APIView):
    @operation(
        "assignments_renew",
        tag=TAG,
        request=None,
        answers={200: serializers.AssignmentSerializer},
        refusals=[403, 404, 409],
        examples=[answer_example("another hour", examples.ASSIGNMENT)],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Start one's time anew, also after it ended."""
        assignment = services.renew_assignment(worker=caller(request), assignment_id=id)
        return Response(serializers.AssignmentSerializer(assignment).data)


class SubmitTwin(APIView):
    @operation(
        "assignments_submit",
        tag=TAG,
        request=serializers.SubmissionSerializer,
        answers={201: serializers.TwinSerializer, 200: serializers.TwinSerializer},
        refusals=[400, 404, 409, 410],
        examples=[
            request_example("a twin", {"client_key": examples.CLIENT_KEY, **examples.TWIN}),
            refusal_example(
                410,
                "lease_expired",
                "Your time for this article is over. Renew the assignment and submit again: "
                "nothing you wrote is lost.",
            ),
            answer_example("stored", examples.STORED_TWIN, status=201),
            answer_example("was stored before", examples.STORED_TWIN),
        ],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Hand in a twin: 201, or 200 with the first result where it was handed in already."""
        form = validated(serializers.SubmissionSerializer, request)
        again = own_twins(request).filter(assignment__public_id=id).exists()
        twin = services.submit_twin(
            worker=caller(request),
            assignment_id=id,
            text=twin_text(form),
            client_key=form["client_key"],
        )
        body = serializers.TwinSerializer(own_twins(request).get(pk=twin.pk)).data
        return Response(body, status=200 if again else 201)


def own_twins(request: Request) -> QuerySet[Twin]:
    """The twins that the asker wrote, with what ``TwinSerializer`` shows."""
    own = Twin.objects.filter(author=caller(request))
    return own.select_related("campaign", "author", "revises").prefetch_related("questions")
