from django_filters import rest_framework as filters

from winoplatform.api.filters import RunFilter, of_campaign


class SnapshotFilter(RunFilter):
    campaign = of_campaign("campaign")


class OfSnapshotFilter(RunFilter):
    """Runs over a snapshot."""

    campaign = of_campaign("snapshot__campaign")


class ReleaseFilter(OfSnapshotFilter):
    name = filters.CharFilter(help_text="The name of the release.")
