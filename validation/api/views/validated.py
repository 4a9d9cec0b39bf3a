"""Votes, and the user's twins."""

from typing import Any

from django.db.models import Prefetch
from rest_framework.generics import GenericAPIView

from collection.models import Question, Twin
from validation.api.filters import TwinFilter, VoteFilter
from validation.api.serializers.seats import VoteSerializer
from validation.api.serializers.validated import ValidatedTwinSerializer
from validation.models import Vote
from winoplatform.api.views import DetailView, ListView
from workers.models import AuditEvent

TWINS = Twin.objects.select_related(
    "campaign", "author", "revises", "provenance__guideline"
).prefetch_related(Prefetch("questions", Question.objects.select_related("verdict")))


class TellsCurators(GenericAPIView[Any]):
    """Let serializers show curators more fields."""

    def get_serializer_context(self) -> dict[str, Any]:
        user = self.request.user if self.request else None
        return {
            **super().get_serializer_context(),
            "for_curator": bool(getattr(user, "is_curator", False)),
        }


class Votes(TellsCurators, ListView):
    """List the user's votes; curators see those of their campaigns."""

    audits = AuditEvent.Kind.LABELS

    queryset = Vote.objects.select_related("seat__campaign", "seat__twin", "question", "worker")
    serializer_class = VoteSerializer
    filterset_class = VoteFilter


class Twins(TellsCurators, ListView):
    """List the user's twins with their states; curators see those of their campaigns."""

    audits = AuditEvent.Kind.LABELS

    queryset = TWINS
    serializer_class = ValidatedTwinSerializer
    filterset_class = TwinFilter


class OneTwin(TellsCurators, DetailView):
    """Return one of the user's twins with the states of its questions."""

    audits = AuditEvent.Kind.LABELS

    queryset = TWINS
    serializer_class = ValidatedTwinSerializer
