"""Encoding: ask for it, watch it, end it. For curators."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from filtering import services
from filtering.api import filters, serializers
from filtering.api.examples import RUN_ID, TAG
from filtering.models import Encoding
from winoplatform.api.runs import CancelView, ResumeView, RunDetailView, RunListView
from winoplatform.api.schema import operation, request_example
from winoplatform.api.views import validated
from workers.api.callers import caller

ENCODINGS = Encoding.objects.select_related("snapshot", "tuning", "created_by")
TUNING_ID = "9d1b7f6e-3c55-4b53-8a8e-2f6f0f5f7c10"


class Encodings(RunListView):
    queryset = ENCODINGS
    serializer_class = serializers.EncodingSerializer
    filterset_class = filters.EncodingFilter

    @operation(
        "encodings_list",
        tag=TAG,
        answers={200: serializers.EncodingSerializer(many=True)},
        refusals=[400, 403],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the encodings."""
        return self.list(request)

    @operation(
        "encodings_create",
        tag=TAG,
        request=serializers.NewEncodingSerializer,
        answers={201: serializers.EncodingSerializer},
        refusals=[400, 403, 409],
        examples=[
            request_example("the installation's encoder", {"snapshot": RUN_ID}),
            request_example("a tuned one", {"snapshot": RUN_ID, "tuning": TUNING_ID}),
        ],
    )
    def post(self, request: Request) -> Response:
        """Encode every question of a snapshot; it starts when the snapshot is done."""
        asked = validated(serializers.NewEncodingSerializer, request)
        return self.started(services.encode(by=caller(request), **asked))


class OneEncoding(RunDetailView):
    queryset = ENCODINGS
    serializer_class = serializers.EncodingSerializer

    @operation(
        "encodings_retrieve",
        tag=TAG,
        answers={200: serializers.EncodingSerializer},
        refusals=[403, 404],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One encoding and how far it is."""
        return self.retrieve(request)


class CancelEncoding(CancelView):
    queryset = ENCODINGS
    serializer_class = serializers.EncodingSerializer

    @operation(
        "encodings_cancel",
        tag=TAG,
        request=None,
        answers={200: serializers.EncodingSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """End an encoding: at once where it waits, at its next step where it runs."""
        return self.cancel()


class ResumeEncoding(ResumeView):
    queryset = ENCODINGS
    serializer_class = serializers.EncodingSerializer

    @operation(
        "encodings_resume",
        tag=TAG,
        request=None,
        answers={200: serializers.EncodingSerializer},
        refusals=[403, 404, 409],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Take up an encoding that failed or was cancelled, after its last shard."""
        return self.resume()
