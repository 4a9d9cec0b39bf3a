from typing import Any

from rest_framework import serializers

from filtering.models import FilterRun, Release, ReleaseFile
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer
from winoplatform.runs.models import RunStatus


class ReleaseFileSerializer(serializers.ModelSerializer[ReleaseFile]):
    size = serializers.IntegerField(source="artifact.size", help_text="Bytes.")
    sha256 = serializers.CharField(source="artifact_id")

    class Meta:
        model = ReleaseFile
        fields = ("name", "rows", "size", "sha256", "restricted")


class ReleaseSerializer(RunSerializer):
    filter_run = serializers.UUIDField(source="filter_run.public_id")
    # By hand: DRF gives the columns of a conditional constraint a default, also in answers.
    status = serializers.ChoiceField(choices=RunStatus.choices)

    class Meta:
        model = Release
        fields = (*RUN_FIELDS, "filter_run", "name", "content_hash")


class NewReleaseSerializer(serializers.Serializer[Any]):
    filter_run = ByPublicId(FilterRun.objects.all())
    name = serializers.SlugField(
        max_length=50, help_text="A name that no other release holds; it stays."
    )
