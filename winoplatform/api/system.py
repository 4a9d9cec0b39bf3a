"""The status of the Celery workers."""

from typing import Any

from django.urls import resolve
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from winoplatform.api.views import ApiView, CuratorView
from winoplatform.runs import workers_alive
from winoplatform.runs.models import QUEUES

TAG = "system"


class LiveWorkerSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="Host name of the Celery worker.")
    queues = serializers.ListField(child=serializers.CharField())


class LivenessSerializer(serializers.Serializer[Any]):
    broker_answers = serializers.BooleanField(help_text="Whether Redis answers.")
    served = serializers.DictField(
        child=serializers.BooleanField(),
        help_text="By queue: whether a live worker executes its runs. Runs of other queues wait.",
    )
    workers = LiveWorkerSerializer(many=True)


class LiveWorkers(CuratorView):
    """The Celery workers alive now; a queue that none serves makes its runs wait."""

    gives = LivenessSerializer

    def get(self, request: Request) -> Response:
        alive = workers_alive.alive()
        workers = [{"name": name, "queues": queues} for name, queues in (alive or {}).items()]
        served = {queue: any(queue in w["queues"] for w in workers) for queue in QUEUES}
        body = {"broker_answers": alive is not None, "served": served, "workers": workers}
        return Response(LivenessSerializer(body).data)


@extend_schema(exclude=True)
class Nothing(ApiView):
    """The response to any unknown URL of the API: not found, as JSON."""

    authentication_classes = []
    permission_classes = []
    http_method_names = []

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        if not request.path.endswith("/") and _is_known(f"{request.path}/"):
            raise NotFound("There is nothing at this address, but with a slash at its end.")
        raise NotFound("There is nothing at this address.")


def _is_known(path: str) -> bool:
    return resolve(path).func.view_class is not Nothing  # type: ignore[attr-defined]
