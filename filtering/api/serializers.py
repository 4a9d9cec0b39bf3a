"""Serializers of filtering's requests and responses."""

from typing import Any

from rest_framework import serializers

from collection.models import Campaign
from corpora.models import Snapshot
from filtering.core.comparing import Agreement
from filtering.core.parameters import SHARES
from filtering.models import (
    AFLITE_SETTINGS,
    CONTROL_SETTINGS,
    Assessment,
    AssessmentPart,
    Encoding,
    FilterRun,
    Phase,
    SentenceEncoding,
    Tuning,
    TuningEpoch,
)
from filtering.selectors.comparisons import RUNS_AT_MOST, SETTINGS, Comparison, Pair
from filtering.services import SEEDS_AT_ONCE
from modeling.batches import POOLINGS
from winoplatform.api.fields import ByPublicId, BySlug
from winoplatform.api.results import ResultSerializer
from winoplatform.api.rows import RowSerializer
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, SettingsSerializer, setting


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


class SentenceEncodingSerializer(RunSerializer):
    sha256 = serializers.CharField(
        source="matrix_id", allow_null=True, help_text="Content hash of the vectors."
    )

    class Meta:
        model = SentenceEncoding
        fields = (
            *RUN_FIELDS,
            "campaign", "encoder", "pooling_used", "weights_sha256", "config_sha256",
            "n_questions", "sha256",
        )  # fmt: skip


class NewSentenceEncodingSerializer(serializers.Serializer[Any]):
    campaign = BySlug(Campaign.objects.all(), help_text="Slug of the campaign.")
    encoder = setting(SentenceEncoding, "encoder", allow_blank=True, default="", required=False)


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


TUNING_SETTINGS = (
    "encoder", "pooling", "n_train", "n_validation", "epochs", "batch_size", "learning_rate", "seed"
)  # fmt: skip


class TuningSerializer(RunSerializer):
    sha256 = serializers.CharField(
        source="weights_id", allow_null=True, help_text="Content hash of the tuned weights."
    )

    class Meta:
        model = Tuning
        fields: tuple[str, ...] = (
            *RUN_FIELDS, "snapshot", *TUNING_SETTINGS, "base_sha256", "config_sha256",
            "pooling_used", "n_used", "accuracy", "sha256",
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
        fields = ("snapshot", *TUNING_SETTINGS)


class CloneSerializer(NewFilterRunSerializer):
    """The settings to change; all others are as in the cloned run."""

    encoding = ByPublicId(Encoding.objects.all(), required=False)


class SeedsSerializer(serializers.Serializer[Any]):
    seeds = serializers.ListField(
        child=setting(FilterRun, "seed", default=serializers.empty),
        min_length=1,
        max_length=SEEDS_AT_ONCE,
        help_text="Seeds without a run with these settings.",
    )


class WhichRunsSerializer(serializers.Serializer[Any]):
    run = serializers.ListField(
        child=serializers.UUIDField(),
        help_text=f"Id of a finished run, from 2 to {RUNS_AT_MOST} times; all of one encoding.",
    )


class RunAgreementSerializer(ResultSerializer):
    class Meta:
        of = Agreement


class RunPairSerializer(ResultSerializer):
    agreement = RunAgreementSerializer()

    class Meta:
        of = Pair


class ComparedRunSerializer(RowSerializer):
    reference = serializers.UUIDField(source="reference.public_id", allow_null=True, default=None)
    n_phases = serializers.IntegerField(source="steps.count")

    class Meta:
        model = FilterRun
        fields = ("id", *SETTINGS, "n_kept", "n_phases", "stop_reason", "run_seconds")


class ComparisonSerializer(ResultSerializer):
    runs = ComparedRunSerializer(many=True)
    pairs = RunPairSerializer(many=True)

    class Meta:
        of = Comparison
