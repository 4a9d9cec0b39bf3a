"""The REST resource of snapshots."""

from corpora import services
from corpora.api import filters, serializers
from corpora.models import Snapshot
from winoplatform.api.runs import register

register(
    name="snapshots",
    rows=Snapshot.objects.select_related("campaign", "created_by"),
    serializer=serializers.SnapshotSerializer,
    form=serializers.NewSnapshotSerializer,
    start=services.take_snapshot,
    filters=filters.SnapshotFilter,
    creates="Create a snapshot of a campaign's valid questions.",
)
