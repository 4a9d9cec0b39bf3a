"""REST resources of snapshots, releases and their previews."""

from corpora import selectors, services
from corpora.api import filters, serializers
from corpora.models import Release, ReleasePreview, Snapshot
from winoplatform.api.permissions import AnyoneReads
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
        examples={
            "snapshot": {"campaign": "winter"},
            "without repeated questions": {"campaign": "winter", "without_repeats": True},
        },
    )
)
register(
    RunResource(
        name="releases",
        rows=Release.objects.select_related("snapshot", "selection", "previous", "created_by"),
        visible=selectors.releases_visible_to,
        reads=AnyoneReads,
        serializer=serializers.ReleaseSerializer,
        form=serializers.NewReleaseSerializer,
        start=services.build_release,
        filters=filters.ReleaseFilter,
        lists="List the releases, newest first. Only curators see those not done; without an "
        "account, only public ones are listed.",
        creates="Publish a snapshot or a selection of it; each twin is in its stored split. A "
        "chosen version that is, or may be, too low for what changed is refused.",
        examples={
            "what a filter run kept": {"selection": RUN_ID, "name": "v1"},
            "unfiltered": {"snapshot": RUN_ID, "name": "v1-all"},
            "public": {
                "selection": RUN_ID,
                "name": "v2",
                "version": "2.0.0",
                "title": "Kitchen schemas",
                "authors": ["Dana Doe"],
                "is_public": True,
            },
        },
    )
)
register(
    RunResource(
        name="release-previews",
        rows=ReleasePreview.objects.select_related("snapshot", "selection", "created_by"),
        serializer=serializers.ReleasePreviewSerializer,
        form=serializers.NewReleasePreviewSerializer,
        start=services.preview_release,
        filters=filters.OfSnapshotFilter,
        creates="Compute the figures of a release without building it.",
        examples={"unfiltered": {"snapshot": RUN_ID}},
    )
)
