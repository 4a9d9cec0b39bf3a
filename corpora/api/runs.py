"""REST resources of snapshots and releases."""

from corpora import selectors, services
from corpora.api import filters, serializers
from corpora.models import Release, Snapshot
from winoplatform.api.runs import RUN_ID, RunResource, register

register(
    RunResource(
        name="snapshots",
        rows=Snapshot.objects.select_related("campaign", "created_by"),
        serializer=serializers.SnapshotSerializer,
        form=serializers.NewSnapshotSerializer,
        start=services.take_snapshot,
        filters=filters.SnapshotFilter,
        creates="Create a snapshot of a campaign's valid questions.",
        examples={"snapshot": {"campaign": "winter"}},
    )
)
register(
    RunResource(
        name="releases",
        rows=Release.objects.select_related("snapshot", "selection", "created_by"),
        visible=selectors.releases_visible_to,
        serializer=serializers.ReleaseSerializer,
        form=serializers.NewReleaseSerializer,
        start=services.build_release,
        filters=filters.OfSnapshotFilter,
        lists="List the releases, newest first; only curators see those not done.",
        creates="Publish a snapshot or a selection of it; each twin is in its stored split.",
        examples={
            "what a filter run kept": {"selection": RUN_ID, "name": "v1"},
            "unfiltered": {"snapshot": RUN_ID, "name": "v1-all"},
        },
    )
)
