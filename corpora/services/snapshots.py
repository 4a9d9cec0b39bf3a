"""Request snapshots; workers execute them."""

from collections.abc import Collection

from django.db import transaction

from collection.models import Campaign, Twin
from corpora import selectors
from corpora.models import Snapshot
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def take_snapshot(
    *,
    campaign: Campaign,
    by: User | None,
    without_repeats: bool = False,
    without_writers: Collection[User] = (),
) -> Snapshot:
    """Request a snapshot of the questions that are valid at this moment.

    *without_repeats* leaves out twins of which a question repeats one of another twin; of each
    question one copy stays (docs/decisions/0026-stored-splits.md). *without_writers* leaves out all
    twins of these people: a comparison shows what their work does to the set.

    Raises
    ------
    DomainError
        When no valid question is left, or a person has written nothing in the campaign.
    """
    snapshot = Snapshot(
        campaign=campaign,
        without_repeats=without_repeats,
        without_writers=sorted({writer.pk for writer in without_writers}),
        created_by=by,
    )
    _refuse_others(campaign, without_writers)
    if not selectors.snapshot_questions(snapshot).exists():
        raise DomainError(
            "no_valid_questions",
            "This campaign has no valid question to take a snapshot of yet.",
            status=409,
        )
    start(snapshot)
    return snapshot


def _refuse_others(campaign: Campaign, writers: Collection[User]) -> None:
    """Refuse people who have written nothing: a wrong name would leave out nobody."""
    wrote = set(
        Twin.objects.filter(campaign=campaign, author__in=writers).values_list("author", flat=True)
    )
    others = sorted(writer.public_id for writer in writers if writer.pk not in wrote)
    if others:
        raise DomainError(
            "not_a_writer",
            f"No twin in this campaign is by {', '.join(others)}.",
            status=400,
        )
