from typing import Any

from rest_framework import serializers

from collection.models import Campaign
from corpora.models import Release, ReleaseFile, Selection, Snapshot
from winoplatform.api.fields import ByPublicId, BySlug
from winoplatform.api.runs import RUN_FIELDS, RunSerializer
from winoplatform.runs.models import RunStatus


class SnapshotSerializer(RunSerializer):
    campaign = serializers.SlugField(source="campaign.slug")
    sha256 = serializers.CharField(
        source="questions_id", allow_null=True, help_text="Content hash of the frozen questions."
    )

    class Meta:
        model = Snapshot
        fields = (*RUN_FIELDS, "campaign", "n_questions", "n_pairs", "sha256")


class NewSnapshotSerializer(serializers.Serializer[Any]):
    campaign = BySlug(Campaign.objects.all(), help_text="Slug of the campaign.")


class ReleaseFileSerializer(serializers.ModelSerializer[ReleaseFile]):
    size = serializers.IntegerField(source="artifact.size", help_text="Bytes.")
    sha256 = serializers.CharField(source="artifact_id")

    class Meta:
        model = ReleaseFile
        fields = ("name", "rows", "size", "sha256", "restricted")


class ReleaseSerializer(RunSerializer):
    snapshot = serializers.UUIDField(source="snapshot.public_id")
    selection = serializers.UUIDField(
        source="selection.public_id",
        allow_null=True,
        default=None,
        read_only=True,
        help_text="The run whose selection is published; null where all of the snapshot is.",
    )
    # By hand: DRF gives the columns of a conditional constraint a default, also in answers.
    status = serializers.ChoiceField(choices=RunStatus.choices)

    class Meta:
        model = Release
        fields = (*RUN_FIELDS, "snapshot", "selection", "name", "content_hash")


class NewReleaseSerializer(serializers.Serializer[Any]):
    snapshot = ByPublicId(
        Snapshot.objects.all(),
        required=False,
        help_text="May be left out where a selection is named: it has its own.",
    )
    selection = ByPublicId(
        Selection.objects.select_related("snapshot"),
        required=False,
        help_text="The id of a filter run, to publish what it keeps.",
    )
    name = serializers.SlugField(
        max_length=50, help_text="A name that no other release holds; it stays."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "selection" in attrs:
            attrs.setdefault("snapshot", attrs["selection"].snapshot)
        if "snapshot" not in attrs:
            raise serializers.ValidationError(
                {"snapshot": "Name a snapshot, or a selection of one."}, code="required"
            )
        return attrs
