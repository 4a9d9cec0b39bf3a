"""Request snapshots; workers execute them."""

from django.db import transaction

from collection.models import Campaign
from corpora import selectors
from corpora.models import Snapshot
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
