from django_filters import rest_framework as filters

from filtering.models import Assessment, Encoding, FilterRun, Tuning
from winoplatform.api.filters import RunFilter


class TuningFilter(RunFilter):
    campaign = filters.CharFilter(
        field_name="snapshot__campaign__slug", help_text="Slug of the campaign."
    )

    class Meta:
        model = Tuning
        fields = ()


class EncodingFilter(RunFilter):
    campaign = filters.CharFilter(
        field_name="snapshot__campaign__slug", help_text="Slug of the campaign."
    )

    class Meta:
        model = Encoding
        fields = ()


class FilterRunFilter(RunFilter):
    campaign = filters.CharFilter(
        field_name="encoding__snapshot__campaign__slug", help_text="Slug of the campaign."
    )

    class Meta:
        model = FilterRun
        fields = ()


class AssessmentFilter(RunFilter):
    filter_run = filters.UUIDFilter(field_name="filter_run__public_id")

    class Meta:
        model = Assessment
        fields = ()
