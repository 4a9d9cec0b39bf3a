"""What has been judged: votes, one's own twins, and every question for curators."""

from typing import Any

from django.db.models import Prefetch
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.examples import STORED_TWIN
from collection.models import Question, Twin
from validation.api import serializers
from validation.api.filters import QuestionFilter, TwinFilter, VoteFilter
from validation.api.views.seats import TAG
from validation.models import Vote
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import answer_example, operation
from winoplatform.api.views import DetailView, ListView

TWINS = Twin.objects.select_related(
    "campaign", "author", "revises", "provenance__guideline"
).prefetch_related(Prefetch("questions", Question.objects.select_related("verdict")))

TWIN = STORED_TWIN | {
    "questions": [
        question | {"state": "awaiting_votes", "reasons": []}
        for question in STORED_TWIN["questions"]
    ],
    "provenance": None,
}


class TellsCurators(GenericAPIView[Any]):
    """Lets serializers show curators more."""

    def get_serializer_context(self) -> dict[str, Any]:
        user = self.request.user if self.request else None
        return {
            **super().get_serializer_context(),
            "for_curator": bool(getattr(user, "is_curator", False)),
        }


class Votes(TellsCurators, ListView):
    queryset = Vote.objects.select_related("seat__campaign", "seat__twin", "question", "worker")
    serializer_class = serializers.VoteSerializer
    filterset_class = VoteFilter

    @operation(
        "votes_list",
        tag=TAG,
        answers={200: serializers.VoteSerializer(many=True)},
        refusals=[400],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List one's own votes as one gave them; curators see everybody's."""
        return self.list(request)


class Twins(TellsCurators, ListView):
    queryset = TWINS
    serializer_class = serializers.JudgedTwinSerializer
    filterset_class = TwinFilter

    @operation(
        "twins_list",
        tag=TAG,
        answers={200: serializers.JudgedTwinSerializer(many=True)},
        refusals=[400],
        examples=[answer_example("waits for its votes", TWIN)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List one's own twins and where they stand; curators see everybody's."""
        return self.list(request)


class OneTwin(TellsCurators, DetailView):
    queryset = TWINS
    serializer_class = serializers.JudgedTwinSerializer

    @operation(
        "twins_retrieve",
        tag=TAG,
        answers={200: serializers.JudgedTwinSerializer},
        refusals=[404],
        examples=[answer_example("waits for its votes", TWIN)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One of one's own twins and where its questions stand."""
        return self.retrieve(request)


class Questions(CuratorRows, ListView):
    queryset = Question.objects.select_related(
        "twin__campaign", "twin__author", "verdict__decided_by"
    )
    serializer_class = serializers.CuratorQuestionSerializer
    filterset_class = QuestionFilter

    @operation(
        "questions_list",
        tag=TAG,
        answers={200: serializers.CuratorQuestionSerializer(many=True)},
        refusals=[400, 403],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List questions with their verdicts, reasons and counts."""
        return self.list(request)
