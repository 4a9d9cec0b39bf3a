"""How well people do on what is frozen or published. For curators."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from filtering import human
from filtering.models import Release, Snapshot
from validation.api.examples_quality import HUMAN
from validation.api.serializers.quality import HumanSerializer, kind_field
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import answer_example, operation

TAG = "quality"
SPLITS = ("train", "dev", "test")
RELEASES = Release.objects.select_related("filter_run__encoding__snapshot__campaign")


class HumanOnSnapshotSerializer(serializers.Serializer[Any]):
    kind = kind_field()


class HumanOnReleaseSerializer(HumanOnSnapshotSerializer):
    split = serializers.ChoiceField(
        choices=SPLITS, required=False, default="", help_text="Only of this split."
    )


def _asked(form: Any, request: Request) -> dict[str, Any]:
    query = form(data=request.query_params)
    query.is_valid(raise_exception=True)
    return dict(query.validated_data)


class HumanOnSnapshot(CuratorRows):
    queryset = Snapshot.objects.select_related("campaign", "questions")

    @operation(
        "snapshots_human",
        tag=TAG,
        answers={200: HumanSerializer},
        refusals=[400, 403, 404, 409],
        parameters=[HumanOnSnapshotSerializer],
        examples=[answer_example("94 %", HUMAN)],
    )
    def get(self, request: Request, id: uuid.UUID) -> Response:
        """How well three judges do over the questions of a snapshot that is done."""
        asked = _asked(HumanOnSnapshotSerializer, request)
        found = human.human_on_snapshot(self.get_object(), **asked)
        return Response(HumanSerializer(found).data)


class HumanOnRelease(CuratorRows):
    queryset = RELEASES

    @operation(
        "releases_human",
        tag=TAG,
        answers={200: HumanSerializer},
        refusals=[400, 403, 404, 409],
        parameters=[HumanOnReleaseSerializer],
        examples=[answer_example("94 %", HUMAN)],
    )
    def get(self, request: Request, id: uuid.UUID) -> Response:
        """How well three judges do over the questions of a release, or of one split of it."""
        asked = _asked(HumanOnReleaseSerializer, request)
        found = human.human_on_release(self.get_object(), **asked)
        return Response(HumanSerializer(found).data)
