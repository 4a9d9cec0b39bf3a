from typing import Any

from rest_framework import serializers

from validation.selectors.reconciliation import PROBLEMS
from winoplatform.api.filters import campaign_field


def _money(**options: Any) -> serializers.DecimalField:
    return serializers.DecimalField(max_digits=24, decimal_places=2, **options)


class TieExampleSerializer(serializers.Serializer[Any]):
    campaign = serializers.CharField(help_text="Id of the campaign that pays.")
    worker = serializers.CharField()
    kind = serializers.CharField()
    unit = serializers.CharField()
    expected = _money(allow_null=True)
    found = _money(allow_null=True)


class TieProblemSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=list(PROBLEMS))
    sentence = serializers.CharField()
    count = serializers.IntegerField()
    examples = TieExampleSerializer(many=True, help_text="The first 20.")


class LedgerCheckSerializer(serializers.Serializer[Any]):
    """Whether all work and all pay agree, at one moment."""

    reconciled = serializers.BooleanField()
    entries = serializers.IntegerField(help_text="Entries checked.")
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="By kind.")
    problems = TieProblemSerializer(many=True)


class CheckQuerySerializer(serializers.Serializer[Any]):
    campaign = campaign_field("Slug or id of a campaign; all campaigns by default.")


class RateOfOneSerializer(serializers.Serializer[Any]):
    worker = serializers.CharField()
    rate = _money()
    pay = _money()
    seconds = serializers.FloatField()
    units = serializers.IntegerField()


class RateReportSerializer(serializers.Serializer[Any]):
    """The median of the workers' hourly rates, with an interval of at least 95 %."""

    median = _money(allow_null=True)
    low = _money(allow_null=True)
    high = _money(allow_null=True)
    n_workers = serializers.IntegerField()
    n_units = serializers.IntegerField()
    below = RateOfOneSerializer(many=True, help_text="Workers below the floor.")


class HourlyReportSerializer(serializers.Serializer[Any]):
    currency = serializers.CharField()
    floor = _money(allow_null=True)
    writing = RateReportSerializer()
    validating = RateReportSerializer()
