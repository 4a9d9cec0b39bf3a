"""Pause workers, with a reason that they see, and let them work again."""

from rest_framework.request import Request
from rest_framework.response import Response

from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, validated
from workers import services
from workers.api import serializers
from workers.api.callers import caller

PAUSE = {
    "worker": "w-0123456789ab",
    "reason": "Please read the new guidelines first.",
    "by": "w-ba9876543210",
    "created_at": "2026-01-01T12:00:00Z",
    "ended_at": None,
}


class PauseWorker(CuratorView):
    takes = serializers.ReasonSerializer
    gives = serializers.PauseSerializer
    refuses = Refusal(
        "already_paused",
        "This worker is already paused. End the pause first to give another reason.",
    )
    request_examples = {"a reason": {"reason": PAUSE["reason"]}}
    answer_examples = {"paused": PAUSE}

    def post(self, request: Request, id: str) -> Response:
        """Pause a worker, with a reason shown to them; they may finish assigned work."""
        worker = services.worker_named(id)
        reason = validated(serializers.ReasonSerializer, request)["reason"]
        pause = services.pause_worker(worker=worker, reason=reason, by=caller(request))
        return Response(serializers.PauseSerializer(pause).data)


class ResumeWorker(CuratorView):
    gives = serializers.PauseSerializer
    refuses = Refusal("not_paused", "This worker is not paused.")
    answer_examples = {"resumed": PAUSE | {"ended_at": "2026-01-02T09:00:00Z"}}

    def post(self, request: Request, id: str) -> Response:
        """End a worker's pause; its record is kept."""
        pause = services.resume_worker(worker=services.worker_named(id))
        return Response(serializers.PauseSerializer(pause).data)
