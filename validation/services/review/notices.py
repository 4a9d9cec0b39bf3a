"""Notices to workers about their work: excluded votes, twins returned for revision."""

import uuid
from datetime import datetime

from django.utils import timezone

from collection.models import Campaign
from validation.models import Appeal, QualityNotice, TwinReturn, Vote
from workers.models import User

Kind = QualityNotice.Kind


def vote_excluded(*, vote: Vote, now: datetime) -> None:
    """Notify a validator that a vote was excluded, and why."""
    excluded(
        worker=vote.worker,
        campaign=vote.seat.campaign,
        unit=vote.public_id,
        reason=vote.exclusion_reason,
        now=now,
    )


def excluded(
    *, worker: User, campaign: Campaign, unit: uuid.UUID, reason: str, now: datetime
) -> None:
    """Notify a worker that a vote of any kind was excluded, and why."""
    QualityNotice.objects.create(
        worker=worker,
        campaign=campaign,
        kind=Kind.VOTE_EXCLUDED,
        unit=str(unit),
        text=reason,
        created_at=now,
    )


def restored(*, worker: User, unit: uuid.UUID) -> None:
    """Delete the notice of a restored vote, unless its worker has read it."""
    notices = QualityNotice.objects.filter(worker=worker, kind=Kind.VOTE_EXCLUDED)
    notices.filter(unit=str(unit), seen_at=None).delete()


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
    """Mark the notices from curators to *worker*, and answers to appeals, as read."""
    unseen = QualityNotice.objects.filter(worker=worker, kind__in=QualityNotice.OF_CURATORS)
    now = timezone.now()
    unseen.filter(seen_at=None).update(seen_at=now)
    Appeal.objects.filter(worker=worker).unread().update(seen_at=now)
