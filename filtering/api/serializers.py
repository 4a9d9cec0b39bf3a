from typing import Any

from rest_framework import serializers

from collection.api.serializers.campaigns import FindingSerializer, UnfinishedTwinSerializer
from collection.models import Campaign
from filtering.core.encoders import POOLINGS
from filtering.models import (
    AFLITE_SETTINGS,
    Encoding,
    FilterRun,
    Guess,
    Phase,
    Release,
    ReleaseFile,
    Snapshot,
)
from winoplatform.api.fields import ByPublicId, BySlug, FiniteFloatField
from winoplatform.api.runs import RUN_FIELDS, RunSerializer
from winoplatform.runs.models import RunStatus


class FunnelSerializer(serializers.Serializer[Any]):
    twins = serializers.IntegerField()
    written = serializers.IntegerField(help_text="Questions written.")
    judged = serializers.IntegerField(help_text="Questions with a verdict.")
    valid = serializers.IntegerField()
    filtered = serializers.IntegerField(
        allow_null=True, help_text="Questions that the latest finished filter run saw."
    )
    kept = serializers.IntegerField(allow_null=True, help_text="Questions that it kept.")


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


class EncodingSerializer(RunSerializer):
    snapshot = serializers.UUIDField(source="snapshot.public_id")
    sha256 = serializers.CharField(
        source="matrix_id", allow_null=True, help_text="Content hash of the feature matrix."
    )

    class Meta:
        model = Encoding
        fields = (
            *RUN_FIELDS,
            "snapshot", "encoder", "pooling", "pooling_used", "features", "weights_sha256",
            "n_features", "sha256",
        )  # fmt: skip


class NewEncodingSerializer(serializers.Serializer[Any]):
    snapshot = ByPublicId(Snapshot.objects.all())
    encoder = serializers.CharField(
        max_length=300,
        allow_blank=True,
        default="",
        help_text="A hub id, a local folder or pkg:module/folder; empty for the installation's.",
    )
    pooling = serializers.ChoiceField(
        choices=POOLINGS, allow_blank=True, default="", help_text="Empty for the encoder's own."
    )
    features = serializers.ChoiceField(
        choices=Encoding.Features.choices, default=Encoding.Features.DIFFERENCE.value
    )


class FilterRunSerializer(RunSerializer):
    encoding = serializers.UUIDField(source="encoding.public_id")
    kept_sha256 = serializers.CharField(
        source="kept_id", allow_null=True, help_text="Content hash of the ids kept."
    )

    class Meta:
        model = FilterRun
        fields: tuple[str, ...] = (
            *RUN_FIELDS, "encoding", *AFLITE_SETTINGS, "n_kept", "stop_reason", "kept_sha256"
        )  # fmt: skip


class PhaseSerializer(serializers.ModelSerializer[Phase]):
    n_left = serializers.IntegerField()
    histogram = serializers.JSONField(help_text="Rows by score, in twenty bins from 0 to 1.")

    class Meta:
        model = Phase
        fields = (
            "number", "n_before", "n_removed", "n_left", "eligible", "never_held_out",
            "tied_at_cutoff", "unconverged", "accuracy", "histogram", "seconds", "created_at",
        )  # fmt: skip


class FilterRunDetailSerializer(FilterRunSerializer):
    phases = PhaseSerializer(source="steps", many=True)

    class Meta(FilterRunSerializer.Meta):
        fields = (*FilterRunSerializer.Meta.fields, "phases")


class NewFilterRunSerializer(serializers.ModelSerializer[FilterRun]):
    encoding = ByPublicId(Encoding.objects.all())
    tau = FiniteFloatField(min_value=0, max_value=1, required=False)
    C = FiniteFloatField(min_value=1e-6, required=False)
    tol = FiniteFloatField(min_value=1e-9, required=False)

    class Meta:
        model = FilterRun
        fields = ("encoding", *AFLITE_SETTINGS)


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
        fields = (*RUN_FIELDS, "filter_run", "name", "dev", "test", "content_hash")


class NewReleaseSerializer(serializers.Serializer[Any]):
    filter_run = ByPublicId(FilterRun.objects.all())
    name = serializers.SlugField(
        max_length=50, help_text="A name that no other release holds; it stays."
    )
    dev = FiniteFloatField(min_value=0, max_value=0.5, default=0.1)
    test = FiniteFloatField(min_value=0, max_value=0.5, default=0.1)


class GuessedTwinSerializer(UnfinishedTwinSerializer):
    assignment = serializers.UUIDField(help_text="One's own: what the twin is written for.")


class GuessSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(
        choices=[*Guess.Status.values, "impossible"],
        help_text="impossible: there is nothing to guess by, or the text may not be guessed.",
    )
    reason = serializers.CharField(
        allow_blank=True, help_text="Why there is no answer, where there will be none."
    )
    served = serializers.BooleanField(
        allow_null=True,
        help_text="While it waits: whether a live worker takes guesses. Null otherwise.",
    )
    finding = FindingSerializer(
        allow_null=True, help_text="The advice machine_guesses, where both are guessed."
    )
