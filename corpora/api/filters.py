from django_filters import rest_framework as filters

from corpora.models import Release, Snapshot
from winoplatform.api.filters import RunFilter


class SnapshotFilter(RunFilter):
    campaign = filters.CharFilter(field_name="campaign__slug", help_text="Slug of the campaign.")

    class Meta:
        model = Snapshot
        fields = ()


class ReleaseFilter(RunFilter):
    campaign = filters.CharFilter(
        field_name="snapshot__campaign__slug",
        help_text="Slug of the campaign.",
    )

    class Meta:
        model = Release
        fields = ()
