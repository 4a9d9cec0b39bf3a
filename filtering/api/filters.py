from django_filters import rest_framework as filters

from filtering.models import Encoding, FilterRun, Release, Snapshot
from winoplatform.runs.models import RunStatus


class RunFilter(filters.FilterSet):
    """Any kind of run: by status, and by the campaign that it began with."""

    status = filters.ChoiceFilter(choices=RunStatus.choices)


class SnapshotFilter(RunFilter):
    campaign = filters.CharFilter(field_name="campaign__slug", help_text="Slug of the campaign.")

    class Meta:
        model = Snapshot
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


class ReleaseFilter(RunFilter):
    campaign = filters.CharFilter(
        field_name="filter_run__encoding__snapshot__campaign__slug",
        help_text="Slug of the campaign.",
    )

    class Meta:
        model = Release
        fields = ()
