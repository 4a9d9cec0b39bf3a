"""Notices to workers about their work: excluded votes, twins returned for revision."""

from datetime import datetime

from django.utils import timezone

from validation.models import QualityNotice, TwinReturn, Vote
from workers.models import User

Kind = QualityNotice.Kind


def vote_excluded(*, vote: Vote, now: datetime) -> None:
    """Notify a validator that a vote was excluded, and why."""
    QualityNotice.objects.create(
        worker=vote.worker,
        campaign=vote.seat.campaign,
        kind=Kind.VOTE_EXCLUDED,
        unit=str(vote.public_id),
        text=vote.exclusion_reason,
        created_at=now,
    )


def vote_restored(*, vote: Vote) -> None:
    """Delete the notice of a restored vote, unless its validator has read it."""
    told = QualityNotice.objects.filter(worker=vote.worker, kind=Kind.VOTE_EXCLUDED)
    told.filter(unit=str(vote.public_id), seen_at=None).delete()


def twin_returned(*, back: TwinReturn, now: datetime) -> None:
    """Notify a writer that a curator asks them to revise a twin."""
    if back.twin.author is not None:
        QualityNotice.objects.create(
            worker=back.twin.author,
            campaign=back.twin.campaign,
            kind=Kind.RETURNED,
            unit=str(back.twin.public_id),
            text=back.note,
            created_at=now,
        )


def see_all(worker: User) -> None:
    """Mark the notices from curators to *worker* as read."""
    unseen = QualityNotice.objects.filter(worker=worker, kind__in=QualityNotice.OF_CURATORS)
    unseen.filter(seen_at=None).update(seen_at=timezone.now())
