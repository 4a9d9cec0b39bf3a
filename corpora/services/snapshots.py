"""Request snapshots and releases; workers execute them."""

from django.db import transaction

from collection.models import Campaign
from corpora import selectors
from corpora.models import Release, Selection, Snapshot
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def take_snapshot(*, campaign: Campaign, by: User | None) -> Snapshot:
    """Request a snapshot of the questions that are valid at this moment."""
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
    """Request a release of a snapshot, or a selection of it, with a unique name.

    Each twin is in its stored split; the campaign's shares apply to twins not drawn yet.

    The name is permanent, unless the release fails or is cancelled.
    """
    if selection is not None and selection.snapshot_id != snapshot.pk:
        raise DomainError(
            "selection_of_other_snapshot",
            "The selection belongs to another snapshot; name its own, or leave the selection out.",
        )
    release = Release(snapshot=snapshot, selection=selection, name=name, created_by=by)
    start(release)
    return release
