"""Fine-tuning an encoder: ask for it, watch it, end it. For curators."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from filtering import services
from filtering.api import filters, serializers
from filtering.api.examples import RUN_ID, TAG
from filtering.models import Tuning
from winoplatform.api.runs import CancelView, ResumeView, RunDetailView, RunListView
from winoplatform.api.schema import operation, request_example
from winoplatform.api.views import validated
from workers.api.callers import caller

TUNINGS = Tuning.objects.select_related("snapshot", "created_by")


class Tunings(RunListView):
    queryset = TUNINGS
    serializer_class = serializers.TuningSerializer
    filterset_class = filters.TuningFilter

    @operation(
        "tunings_list",
        tag=TAG,
        answers={200: serializers.TuningSerializer(many=True)},
        refusals=[400, 403],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the tunings."""
        return self.list(request)

    @operation(
        "tunings_create",
        tag=TAG,
        request=serializers.NewTuningSerializer,
        answers={201: serializers.TuningSerializer},
        refusals=[400, 403, 409],
        examples=[
            request_example(
                "the installation's encoder", {"snapshot": RUN_ID, "epochs": 3, "seed": 0}
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Fine-tune an encoder on some of a snapshot's questions, which then leave the data set."""
        asked = validated(serializers.NewTuningSerializer, request)
        return self.started(services.tune(by=caller(request), **asked))


class OneTuning(RunDetailView):
    queryset = TUNINGS.prefetch_related("steps")
    serializer_class = serializers.TuningDetailSerializer

    @operation(
        "tunings_retrieve",
        tag=TAG,
        answers={200: serializers.TuningDetailSerializer},
        refusals=[403, 404],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One tuning, how far it is, and what each epoch came to."""
        return self.retrieve(request)


class CancelTuning(CancelView):
    queryset = TUNINGS
    serializer_class = serializers.TuningSerializer

    @operation(
        "tunings_cancel",
        tag=TAG,
        request=None,
        answers={200: serializers.TuningSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End a tuning: at once where it waits, at its next step where it runs."""
        return self.cancel()


class ResumeTuning(ResumeView):
    queryset = TUNINGS
    serializer_class = serializers.TuningSerializer

    @operation(
        "tunings_resume",
        tag=TAG,
        request=None,
        answers={200: serializers.TuningSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Take up a tuning that failed or was cancelled, after its last epoch."""
        return self.resume()
