"""Snapshots and releases; workers execute them."""

from django.db import transaction

from collection.models import Campaign
from corpora import selectors
from corpora.models import Release, Selection, Snapshot
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def take_snapshot(*, campaign: Campaign, by: User | None) -> Snapshot:
    """Create a snapshot of the questions that are valid when a worker executes it."""
    snapshot = Snapshot(campaign=campaign, created_by=by)
    if not selectors.valid_questions(campaign, at=snapshot.created_at).exists():
        raise DomainError(
            "no_valid_questions",
            "This campaign has no valid question to take a snapshot of yet.",
            status=409,
        )
    start(snapshot)
    return snapshot


@transaction.atomic
def build_release(
    *, snapshot: Snapshot, name: str, by: User | None, selection: Selection | None = None
) -> Release:
    """Publish a snapshot, or a selection of it, under a name that no other release holds.

    Each twin is in the split that was drawn for it once; the campaign's shares count for twins
    that are not drawn yet.

    The name stays with the release; only one that fails or is cancelled lets it go.
    """
    if selection is not None and selection.snapshot_id != snapshot.pk:
        raise DomainError(
            "selection_of_other_snapshot",
            "The selection belongs to another snapshot; name its own, or leave the selection out.",
        )
    release = Release(snapshot=snapshot, selection=selection, name=name, created_by=by)
    start(release)
    return release
