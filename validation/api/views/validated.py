"""What has been validated: votes, one's own twins, and every question for curators."""

from typing import Any

from django.db.models import Prefetch
from rest_framework.generics import GenericAPIView

from collection.api.examples import STORED_TWIN
from collection.models import Question, Twin
from validation.api import serializers
from validation.api.filters import QuestionFilter, TwinFilter, VoteFilter
from validation.models import Vote
from winoplatform.api.runs import CuratorRows
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
    """List one's own votes as one gave them; curators see everybody's."""

    queryset = Vote.objects.select_related("seat__campaign", "seat__twin", "question", "worker")
    serializer_class = serializers.VoteSerializer
    filterset_class = VoteFilter


class Twins(TellsCurators, ListView):
    """List one's own twins and where they stand; curators see everybody's."""

    queryset = TWINS
    serializer_class = serializers.ValidatedTwinSerializer
    filterset_class = TwinFilter
    answer_examples = {"waits for its votes": TWIN}


class OneTwin(TellsCurators, DetailView):
    """One of one's own twins and where its questions stand."""

    queryset = TWINS
    serializer_class = serializers.ValidatedTwinSerializer
    answer_examples = {"waits for its votes": TWIN}


class Questions(CuratorRows, ListView):
    """List questions with their verdicts, reasons and counts."""

    queryset = Question.objects.select_related(
        "twin__campaign", "twin__author", "verdict__decided_by"
    )
    serializer_class = serializers.CuratorQuestionSerializer
    filterset_class = QuestionFilter
