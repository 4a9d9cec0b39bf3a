from typing import Any

from rest_framework import serializers

from filtering.api.serializers.filter_runs import NewFilterRunSerializer
from filtering.models import Encoding, FilterRun
from filtering.selectors.comparisons import RUNS_AT_MOST, SETTINGS
from filtering.services.variations import SEEDS_AT_ONCE
from winoplatform.api.fields import ByPublicId
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


class OverlapSerializer(serializers.Serializer[Any]):
    """Overlap of two sets, and the expected overlap of two random sets of their sizes."""

    both = serializers.IntegerField()
    either = serializers.IntegerField()
    jaccard = serializers.FloatField(allow_null=True, help_text="Both ÷ either.")
    of_smaller = serializers.FloatField(allow_null=True, help_text="Both ÷ the smaller set.")
    both_by_chance = serializers.FloatField()
    jaccard_by_chance = serializers.FloatField(allow_null=True)
    of_smaller_by_chance = serializers.FloatField(allow_null=True)


class CorrelationSerializer(serializers.Serializer[Any]):
    """Null where fewer than three questions have both scores, or all have the same."""

    pearson = serializers.FloatField(allow_null=True)
    spearman = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="Questions with a score in both runs.")


class RunAgreementSerializer(serializers.Serializer[Any]):
    kept = OverlapSerializer()
    removed = OverlapSerializer()
    same = serializers.FloatField(
        allow_null=True, help_text="Share of the questions with the same result in both."
    )
    kappa = serializers.FloatField(
        allow_null=True,
        help_text="Cohen's kappa of the filter results: 0 as by chance, 1 if all are the same.",
    )
    first = CorrelationSerializer(
        help_text="Of the scores in the first phase, which has all questions."
    )
    mean = CorrelationSerializer(help_text="Of each question's mean score over its phases.")


class RunPairSerializer(serializers.Serializer[Any]):
    a = serializers.IntegerField(help_text="Index of the run in `runs`, from 0.")
    b = serializers.IntegerField(help_text="Index of the run in `runs`, from 0.")
    agreement = RunAgreementSerializer()


class StabilitySerializer(serializers.Serializer[Any]):
    rows = serializers.ListField(
        child=serializers.IntegerField(), help_text="Questions that 0, 1, … all runs keep."
    )
    by_chance = serializers.ListField(
        child=serializers.FloatField(), help_text="The same for independent runs of these sizes."
    )


class SeedGroupSerializer(serializers.Serializer[Any]):
    """Runs that differ only in the seed."""

    runs = serializers.ListField(child=serializers.IntegerField(), help_text="Indices in `runs`.")
    stability = StabilitySerializer()


class ComparedRunSerializer(serializers.ModelSerializer[FilterRun]):
    id = serializers.UUIDField(source="public_id")
    reference = serializers.UUIDField(source="reference.public_id", allow_null=True, default=None)
    n_phases = serializers.IntegerField(source="steps.count")

    class Meta:
        model = FilterRun
        fields = ("id", *SETTINGS, "n_kept", "n_phases", "stop_reason", "run_seconds")


class ComparisonSerializer(serializers.Serializer[Any]):
    runs = ComparedRunSerializer(many=True)
    n_rows = serializers.IntegerField(help_text="Questions at the start of each run.")
    differing = serializers.ListField(
        child=serializers.CharField(), help_text="Settings in which the runs differ."
    )
    pairs = RunPairSerializer(many=True)
    seeds = SeedGroupSerializer(many=True)
