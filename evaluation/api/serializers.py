from typing import Any

from rest_framework import serializers

from corpora.api.serializers import ReleaseSerializer, SnapshotSerializer
from corpora.models import Release
from evaluation.models import Evaluation
from filtering.api.serializers import EncodingSerializer, FilterRunSerializer
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer


class EstimateSerializer(serializers.Serializer[Any]):
    """A share with its 95 % interval."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()


class EvaluationSerializer(RunSerializer):
    release = serializers.UUIDField(source="release.public_id")
    metrics = serializers.DictField(child=EstimateSerializer(), allow_null=True)

    class Meta:
        model = Evaluation
        fields = (*RUN_FIELDS, "release", "model", "split", "metrics")


class NewEvaluationSerializer(serializers.Serializer[Any]):
    release = ByPublicId(Release.objects.all())
    model = serializers.ChoiceField(choices=Evaluation.Model.choices)
    split = serializers.ChoiceField(
        choices=Evaluation.Split.choices, default=Evaluation.Split.DEV.value
    )


class NewPipelineSerializer(serializers.Serializer[Any]):
    release_name = serializers.SlugField(
        max_length=50, help_text="A name that no other release holds; it stays."
    )


class PipelineSerializer(serializers.Serializer[Any]):
    """The runs from a campaign's votes to a first evaluation; each starts when it can."""

    snapshot = SnapshotSerializer()
    encoding = EncodingSerializer()
    filter_run = FilterRunSerializer()
    release = ReleaseSerializer()
    evaluations = EvaluationSerializer(many=True)
