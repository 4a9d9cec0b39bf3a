"""Pause workers, with a reason that they see, and let them work again."""

from rest_framework.request import Request
from rest_framework.response import Response

from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, validated
from workers import services
from workers.api import serializers
from workers.api.callers import caller


class PauseWorker(CuratorView):
    takes = serializers.ReasonSerializer
    gives = serializers.PauseSerializer
    refuses = Refusal("already_paused")

    def post(self, request: Request, id: str) -> Response:
        """Pause a worker, with a reason shown to them; they may finish assigned work."""
        worker = services.worker_named(id)
        reason = validated(serializers.ReasonSerializer, request)["reason"]
        pause = services.pause_worker(worker=worker, reason=reason, by=caller(request))
        return Response(serializers.PauseSerializer(pause).data)


class ResumeWorker(CuratorView):
    gives = serializers.PauseSerializer
    refuses = Refusal("not_paused")

    def post(self, request: Request, id: str) -> Response:
        """End a worker's pause; its record is kept."""
        pause = services.resume_worker(worker=services.worker_named(id))
        return Response(serializers.PauseSerializer(pause).data)
