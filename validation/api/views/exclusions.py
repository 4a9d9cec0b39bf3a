"""Excluded votes, and notices to workers."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.views.campaigns import visible_campaign
from validation.api.serializers import golds, review
from validation.models import QualityNotice, Vote
from validation.services.review.exclusions import exclude, exclude_all, restore
from winoplatform.api.views import CuratorView, ListView, validated
from workers.api.callers import caller
from workers.models import AuditEvent
from workers.services import worker_named

TAG = "review"


class ExcludedVotes(ListView):
    """List the user's excluded votes with the reasons; curators see all."""

    audits = AuditEvent.Kind.LABELS

    queryset = Vote.objects.filter(excluded_at__isnull=False).select_related(
        "question", "seat__campaign", "worker"
    )
    serializer_class = review.ExcludedVoteSerializer


class ExcludeVote(CuratorView):
    takes = review.WhySerializer
    gives = review.ExcludedVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Exclude a vote: it stays paid, its worker is notified, a replacement is requested."""
        body = validated(review.WhySerializer, request)
        return _vote(exclude(vote_id=id, by=caller(request), **body))


class Restore(CuratorView):
    takes = review.WhySerializer
    gives = review.ExcludedVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Restore an excluded vote."""
        body = validated(review.WhySerializer, request)
        return _vote(restore(vote_id=id, by=caller(request), **body))


def _vote(vote: Vote) -> Response:
    return Response(review.ExcludedVoteSerializer(vote).data)


class ExcludeWork(CuratorView):
    takes = review.WhySinceSerializer
    gives = review.DoneSerializer

    def post(self, request: Request, id: str) -> Response:
        """Exclude a worker's votes since a time; call again while any are left."""
        body = validated(review.WhySinceSerializer, request)
        campaign = visible_campaign(request, body.pop("campaign"))
        done = exclude_all(worker=worker_named(id), campaign=campaign, by=caller(request), **body)
        return Response(review.DoneSerializer(done).data)


class Notices(ListView):
    """List the notices about the user's work: warnings, excluded votes, returned twins."""

    queryset = QualityNotice.objects.select_related("campaign")
    serializer_class = golds.NoticeSerializer

    def visible(self, rows: Any) -> Any:
        return rows.filter(worker=self.request.user)
