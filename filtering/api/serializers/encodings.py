"""Encodings and their assessments over HTTP."""

from typing import Any

from rest_framework import serializers

from corpora.models import Snapshot
from filtering.models import Assessment, AssessmentPart, Encoding, FilterRun, Tuning
from modeling.batches import POOLINGS
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, setting


class AssessmentSerializer(RunSerializer):
    report_sha256 = serializers.CharField(
        source="report_id", allow_null=True, help_text="Content hash of the report."
    )

    class Meta:
        model = Assessment
        fields: tuple[str, ...] = (*RUN_FIELDS, "filter_run", "seed", "report_sha256")


class AssessmentPartSerializer(serializers.ModelSerializer[AssessmentPart]):
    figures = serializers.JSONField(help_text="As in the report.")

    class Meta:
        model = AssessmentPart
        fields = ("number", "name", "figures", "seconds", "created_at")


class AssessmentDetailSerializer(AssessmentSerializer):
    parts = AssessmentPartSerializer(source="steps", many=True)

    class Meta(AssessmentSerializer.Meta):
        fields = (*AssessmentSerializer.Meta.fields, "parts")


class NewAssessmentSerializer(serializers.Serializer[Any]):
    filter_run = ByPublicId(FilterRun.objects.all())
    seed = setting(Assessment, "seed")


class EncodingSerializer(RunSerializer):
    sha256 = serializers.CharField(
        source="matrix_id", allow_null=True, help_text="Content hash of the feature matrix."
    )

    class Meta:
        model = Encoding
        fields = (
            *RUN_FIELDS,
            "snapshot", "tuning", "encoder", "pooling", "pooling_used", "features", "dtype",
            "weights_sha256", "config_sha256", "n_features", "sha256",
        )  # fmt: skip
        paths = {"tuning": "tuning.public_id"}


class EncoderSerializer(serializers.Serializer[Any]):
    """Which encoder to use, over which snapshot."""

    snapshot = ByPublicId(Snapshot.objects.all())
    encoder = setting(Encoding, "encoder", allow_blank=True, default="", required=False)
    pooling = serializers.ChoiceField(
        choices=POOLINGS,
        allow_blank=True,
        default="",
        help_text=Encoding._meta.get_field("pooling").help_text,
    )


class NewEncodingSerializer(EncoderSerializer):
    features = setting(Encoding, "features")
    dtype = setting(Encoding, "dtype")
    tuning = ByPublicId(
        Tuning.objects.all(),
        allow_null=True,
        default=None,
        help_text="Tuning whose encoder and pooling to use; its questions are left out.",
    )
