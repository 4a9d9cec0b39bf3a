"""Filter runs, tunings and the funnel over HTTP."""

from typing import Any

from rest_framework import serializers

from filtering.api.serializers.encodings import EncoderSerializer
from filtering.core.parameters import SHARES
from filtering.models import (
    AFLITE_SETTINGS,
    CONTROL_SETTINGS,
    Encoding,
    FilterRun,
    Phase,
    Tuning,
    TuningEpoch,
)
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, SettingsSerializer


class FilterRunSerializer(RunSerializer):
    fresh_models = serializers.JSONField(
        help_text=(
            "Held-out accuracy of fresh linear models before the filter (all) and on the questions "
            "kept: grouped with twins in one fold, paired and unpaired of these, individual with "
            "folds of questions. A leak is the side of one half that the test finds (null where "
            "nothing is measured), and the accuracy that it finds with a probability of 80 %."
        ),
    )
    repeats = serializers.JSONField(
        help_text=(
            "How many questions repeat another one (the same sentence and options, however typed), "
            "before the filter (all) and of those kept: repeated, same_answer, other_answer."
        ),
    )
    warnings = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text="Where fresh models are above or below one half on the questions kept, and how "
        "many of these repeat another one, which no model shows.",
    )
    kept_sha256 = serializers.CharField(
        source="selection.kept_id", allow_null=True, help_text="Content hash of the ids kept."
    )

    class Meta:
        model = FilterRun
        help = {"reference": "The run whose size a control has."}
        fields: tuple[str, ...] = (
            *RUN_FIELDS, "encoding", *CONTROL_SETTINGS, *AFLITE_SETTINGS, "device_used", "n_kept",
            "stop_reason", "fresh_models", "repeats", "warnings", "kept_sha256",
        )  # fmt: skip


class PhaseSerializer(serializers.ModelSerializer[Phase]):
    n_left = serializers.IntegerField()
    looks = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()),
        help_text=(
            "Rows left, accuracy of fresh models, its standard error: before, between and after "
            "the removals of a run that stops at a neutral set."
        ),
    )
    histogram = serializers.JSONField(
        help_text="Rows by score, or whole twins where they are removed together, in twenty bins "
        "from 0 to 1; empty for a control."
    )

    class Meta:
        model = Phase
        fields = (
            "number", "n_before", "n_removed", "n_left", "eligible", "never_held_out",
            "tied_at_cutoff", "unconverged", "fallbacks", "accuracy", "looks", "stop_reason",
            "histogram", "counts_twins", "seconds", "created_at",
        )  # fmt: skip


class FilterRunDetailSerializer(FilterRunSerializer):
    phases = PhaseSerializer(source="steps", many=True)

    class Meta(FilterRunSerializer.Meta):
        fields = (*FilterRunSerializer.Meta.fields, "phases")


class NewFilterRunSerializer(SettingsSerializer):
    encoding = ByPublicId(Encoding.objects.all())
    reference = ByPublicId(
        FilterRun.objects.all(),
        required=False,
        allow_null=True,
        help_text=FilterRun._meta.get_field("reference").help_text,
    )
    preset = serializers.ChoiceField(
        tuple(SHARES),
        default="neutral",
        help_text="Values for AFLite settings that are not sent, for the encoding's size.",
    )

    class Meta:
        model = FilterRun
        fields = ("encoding", "preset", *CONTROL_SETTINGS, *AFLITE_SETTINGS)


class FunnelSerializer(serializers.Serializer[Any]):
    twins = serializers.IntegerField()
    written = serializers.IntegerField(help_text="Questions written.")
    validated = serializers.IntegerField(help_text="Questions with a verdict.")
    valid = serializers.IntegerField()
    filtered = serializers.IntegerField(
        allow_null=True, help_text="Questions before the campaign's chosen filter run."
    )
    kept = serializers.IntegerField(allow_null=True, help_text="Questions that this run kept.")
    run = serializers.UUIDField(
        allow_null=True, help_text="The filter run: the chosen one, or that of the latest release."
    )


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
