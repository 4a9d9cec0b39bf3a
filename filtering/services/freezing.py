"""What curators can ask for at both ends of filtering: a snapshot, a release."""

from django.db import transaction

from collection.models import Campaign
from filtering import selectors
from filtering.models import FilterRun, Release, Snapshot
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def take_snapshot(*, campaign: Campaign, by: User | None) -> Snapshot:
    """Freeze the campaign's questions that are valid now, whenever a worker comes to it."""
    snapshot = Snapshot(campaign=campaign, created_by=by)
    if not selectors.valid_questions(campaign, at=snapshot.created_at).exists():
        raise DomainError(
            "no_valid_questions", "This campaign has no valid question to freeze yet.", status=409
        )
    start(snapshot)
    return snapshot


@transaction.atomic
def build_release(*, filter_run: FilterRun, name: str, by: User | None) -> Release:
    """Publish what a filter run kept, under a name that no other release holds.

    Each twin is in the split that was drawn for it once; the campaign's shares count for twins
    that are not drawn yet.

    The name stays with the release; only one that fails or is cancelled lets it go.
    """
    release = Release(filter_run=filter_run, name=name, created_by=by)
    start(release)
    return release
