from typing import Any

from rest_framework import serializers

from corpora.models import Snapshot
from filtering.models import Encoding, Tuning
from modeling.batches import POOLINGS
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer


class EncodingSerializer(RunSerializer):
    tuning = serializers.UUIDField(source="tuning.public_id", allow_null=True, default=None)
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


class EncoderSerializer(serializers.Serializer[Any]):
    """Which encoder to use, over which snapshot."""

    snapshot = ByPublicId(Snapshot.objects.all())
    encoder = serializers.CharField(
        max_length=300,
        allow_blank=True,
        default="",
        help_text="A hub id, a local folder or pkg:module/folder that the operator permits; empty "
        "for the installation's.",
    )
    pooling = serializers.ChoiceField(
        choices=POOLINGS, allow_blank=True, default="", help_text="Empty for the encoder's own."
    )


class NewEncodingSerializer(EncoderSerializer):
    features = serializers.ChoiceField(
        choices=Encoding.Features.choices, default=Encoding.Features.DIFFERENCE.value
    )
    dtype = serializers.ChoiceField(
        choices=Encoding.Dtypes.choices,
        default=Encoding.Dtypes.FLOAT32.value,
        help_text="bfloat16 is faster on hardware that supports it, and rounds: the features "
        "have an error of about 5 % of their norm.",
    )
    tuning = ByPublicId(
        Tuning.objects.all(),
        allow_null=True,
        default=None,
        help_text="Tuning whose encoder and pooling to use; its questions are left out.",
    )
