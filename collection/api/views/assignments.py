"""Writing: take an article, hand in a twin."""

import uuid

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection import services
from collection.api import examples
from collection.api.filters import AssignmentFilter
from collection.api.serializers import authoring as serializers
from collection.api.views.campaigns import twin_text, visible_campaign
from collection.models import Assignment, Twin
from winoplatform.api.schema import Refusal
from winoplatform.api.views import DetailView, ListView, validated
from workers.api.callers import caller


class RequestAssignment(APIView):
    gives = serializers.AssignmentSerializer
    refuses = [
        403,
        Refusal("campaign_not_open", "“Winter” is paused and hands out no work now."),
    ]
    answer_examples = {"an article for an hour": examples.ASSIGNMENT}

    def post(self, request: Request, slug: str) -> Response:
        """Take a random article for a while, or get the one that one holds already."""
        campaign = visible_campaign(request, slug)
        assignment = services.request_assignment(worker=caller(request), campaign=campaign)
        return Response(serializers.AssignmentSerializer(assignment).data)


class Assignments(ListView):
    """List one's own assignments; curators see everybody's."""

    queryset = Assignment.objects.select_related("campaign", "worker", "article").only(
        "public_id", "status", "leased_until", "created_at", "campaign__slug",
        "worker__public_id", "article__title",
    ).with_twin()  # fmt: skip
    serializer_class = serializers.AssignmentLineSerializer
    filterset_class = AssignmentFilter
    answer_examples = {"a twin was handed in": examples.SUBMITTED_LINE}


class OneAssignment(DetailView):
    """One assignment with its article and ranked anchors."""

    queryset = Assignment.objects.select_related("campaign", "worker", "article").with_twin()
    serializer_class = serializers.AssignmentSerializer
    answer_examples = {"held": examples.ASSIGNMENT}


class ReturnAssignment(APIView):
    takes = serializers.ReturnSerializer
    gives = serializers.AssignmentSerializer
    refuses = 409
    request_examples = {"a reason": {"reason": "unclear", "comment": ""}}
    answer_examples = {"given back": examples.RETURNED}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Give an article back unwritten; returning it twice is the same as once."""
        why = validated(serializers.ReturnSerializer, request)
        assignment = services.return_assignment(worker=caller(request), assignment_id=id, **why)
        return Response(serializers.AssignmentSerializer(assignment).data)


class AnotherArticle(APIView):
    takes = serializers.AnotherSerializer
    gives = serializers.AssignmentSerializer
    refuses = [403, 409]
    request_examples = {"a reason": {"reason": "no_idea", "comment": ""}}
    answer_examples = {"another article": examples.ASSIGNMENT}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Change the article for another one; the answer is the new assignment."""
        why = validated(serializers.AnotherSerializer, request)
        assignment = services.another_article(worker=caller(request), assignment_id=id, **why)
        return Response(serializers.AssignmentSerializer(assignment).data)


class RenewAssignment(APIView):
    gives = serializers.AssignmentSerializer
    refuses = [403, 409]
    answer_examples = {"another hour": examples.ASSIGNMENT}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Start one's time anew, also after it ended."""
        assignment = services.renew_assignment(worker=caller(request), assignment_id=id)
        return Response(serializers.AssignmentSerializer(assignment).data)


class SubmitTwin(APIView):
    takes = serializers.SubmissionSerializer
    gives = serializers.TwinSerializer
    success = (201, 200)
    refuses = [
        409,
        Refusal(
            "lease_expired",
            "Your time for this article is over. Renew the assignment and submit again: "
            "nothing you wrote is lost.",
            status=410,
        ),
    ]
    request_examples = {"a twin": {"client_key": examples.CLIENT_KEY, **examples.TWIN}}
    answer_examples = {"stored": examples.STORED_TWIN}

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
