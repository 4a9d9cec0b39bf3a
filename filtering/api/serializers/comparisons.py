from typing import Any

from rest_framework import serializers

from filtering.api.serializers.filter_runs import NewFilterRunSerializer
from filtering.core.comparing import Agreement
from filtering.models import Encoding, FilterRun
from filtering.selectors.comparisons import RUNS_AT_MOST, SETTINGS, Comparison, Pair
from filtering.services.filter_runs import SEEDS_AT_ONCE
from winoplatform.api.fields import ByPublicId
from winoplatform.api.results import ResultSerializer
from winoplatform.api.rows import RowSerializer
from winoplatform.api.runs import setting


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

    class Meta:
        of = Comparison
