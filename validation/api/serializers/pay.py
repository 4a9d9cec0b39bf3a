from typing import Any

from rest_framework import serializers

from collection.core.rates import RateReport, WorkTime
from validation.selectors.reconciliation import PROBLEMS, LedgerCheck, Problem
from winoplatform.api.filters import campaign_field
from winoplatform.api.results import MoneyField, ResultSerializer


class TieProblemSerializer(ResultSerializer):
    code = serializers.ChoiceField(choices=list(PROBLEMS))

    class Meta:
        dataclass = Problem
        fields = ("code", "sentence", "count", "examples")
        help = {"examples": "The first 20."}


class LedgerCheckSerializer(ResultSerializer):
    """Whether all work and all pay agree, at one moment."""

    problems = TieProblemSerializer(many=True)

    class Meta:
        dataclass = LedgerCheck
        fields = ("reconciled", "entries", "counts", "problems")
        help = {"entries": "Entries checked.", "counts": "By kind."}


class CheckQuerySerializer(serializers.Serializer[Any]):
    campaign = campaign_field("Slug or id of a campaign; all campaigns by default.")


class RateOfOneSerializer(ResultSerializer):
    rate = MoneyField()

    class Meta:
        dataclass = WorkTime
        fields = ("worker", "rate", "pay", "seconds", "units")


class RateReportSerializer(ResultSerializer):
    """The median of the workers' hourly rates, with an interval of at least 95 %."""

    below = RateOfOneSerializer(many=True, help_text="Workers below the floor.")

    class Meta:
        dataclass = RateReport
        fields = ("median", "low", "high", "n_workers", "n_units", "below")


class HourlyReportSerializer(serializers.Serializer[Any]):
    currency = serializers.CharField()
    floor = MoneyField(allow_null=True)
    writing = RateReportSerializer()
    validating = RateReportSerializer()
