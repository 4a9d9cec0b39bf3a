from typing import Any

from rest_framework import serializers

from corpora.api.serializers import ReleaseSerializer, SnapshotSerializer
from corpora.models import ReferenceSet, Release
from evaluation.models import Evaluation
from filtering.api.serializers import EncodingSerializer, FilterRunSerializer
from winoplatform.api.fields import ByPublicId, ByText
from winoplatform.api.runs import RUN_FIELDS, RunSerializer


class EstimateSerializer(serializers.Serializer[Any]):
    """A share with its 95 % interval."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()


class EvaluationSerializer(RunSerializer):
    release = serializers.UUIDField(
        source="release.public_id", allow_null=True, default=None, read_only=True
    )
    reference_set = serializers.SlugField(
        source="reference_set.name", allow_null=True, default=None, read_only=True
    )
    encoding = serializers.UUIDField(
        source="encoding.public_id",
        allow_null=True,
        default=None,
        read_only=True,
        help_text="The encoding whose features the linear model uses.",
    )
    metrics = serializers.DictField(child=EstimateSerializer(), allow_null=True)

    class Meta:
        model = Evaluation
        fields = (
            *RUN_FIELDS, "release", "reference_set", "model", "encoding", "split", "seed",
            "metrics",
        )  # fmt: skip


class NewEvaluationSerializer(serializers.Serializer[Any]):
    release = ByPublicId(Release.objects.all(), required=False)
    reference_set = ByText(
        ReferenceSet.objects.all(),
        key="name",
        required=False,
        help_text="Scored instead of a release.",
    )
    model = serializers.ChoiceField(choices=Evaluation.Model.choices)
    split = serializers.SlugField(default="dev", help_text="For a release: dev or test.")
    seed = serializers.IntegerField(default=0, min_value=0, max_value=2**63 - 1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("release" in attrs) == ("reference_set" in attrs):
            raise serializers.ValidationError(
                {"release": "Name a release or a reference set, and not both."}, code="required"
            )
        return attrs


class NewPipelineSerializer(serializers.Serializer[Any]):
    release_name = serializers.SlugField(
        max_length=50, help_text="A name that no other release has; it cannot be changed."
    )


class PipelineSerializer(serializers.Serializer[Any]):
    """The runs from a campaign's votes to a first evaluation; each starts after its input."""

    snapshot = SnapshotSerializer()
    encoding = EncodingSerializer()
    filter_run = FilterRunSerializer()
    release = ReleaseSerializer()
    evaluations = EvaluationSerializer(many=True)
