from rest_framework import serializers

from filtering.api.serializers.encodings import EncoderSerializer
from filtering.models import Tuning, TuningEpoch
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, SettingsSerializer

SETTINGS = (
    "encoder", "pooling", "n_train", "n_validation", "epochs", "batch_size", "learning_rate", "seed"
)  # fmt: skip


class TuningSerializer(RunSerializer):
    sha256 = serializers.CharField(
        source="weights_id", allow_null=True, help_text="Content hash of the tuned weights."
    )

    class Meta:
        model = Tuning
        fields: tuple[str, ...] = (
            *RUN_FIELDS, "snapshot", *SETTINGS, "base_sha256", "config_sha256", "pooling_used",
            "n_used", "accuracy", "sha256",
        )  # fmt: skip


class TuningEpochSerializer(serializers.ModelSerializer[TuningEpoch]):
    class Meta:
        model = TuningEpoch
        fields = ("number", "loss", "accuracy", "seconds", "created_at")


class TuningDetailSerializer(TuningSerializer):
    steps = TuningEpochSerializer(many=True)

    class Meta(TuningSerializer.Meta):
        fields = (*TuningSerializer.Meta.fields, "steps")


class NewTuningSerializer(EncoderSerializer, SettingsSerializer):
    class Meta:
        model = Tuning
        fields = ("snapshot", *SETTINGS)
