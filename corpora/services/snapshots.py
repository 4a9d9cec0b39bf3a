"""Request snapshots; workers execute them."""

from django.db import transaction

from collection.models import Campaign
from corpora import selectors
from corpora.models import Snapshot
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def take_snapshot(
    *, campaign: Campaign, by: User | None, without_repeats: bool = False
) -> Snapshot:
    """Request a snapshot of the questions that are valid at this moment.

    *without_repeats* leaves out twins of which a question repeats one of another twin; of each
    question one copy stays (docs/decisions/0093-repeats.md).
    """
    snapshot = Snapshot(campaign=campaign, without_repeats=without_repeats, created_by=by)
    if not selectors.valid_questions(campaign, at=snapshot.created_at).exists():
        raise DomainError(
            "no_valid_questions",
            "This campaign has no valid question to take a snapshot of yet.",
            status=409,
        )
    start(snapshot)
    return snapshot
