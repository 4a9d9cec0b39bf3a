"""What workers are told of their own work: votes excluded, twins returned for revision."""

from datetime import datetime

from django.utils import timezone

from validation.models import QualityNotice, TwinReturn, Vote
from workers.models import User

Kind = QualityNotice.Kind


def vote_excluded(*, vote: Vote, now: datetime) -> None:
    """Tell a validator that a vote of theirs is not used, and why."""
    QualityNotice.objects.create(
        worker=vote.worker,
        campaign=vote.seat.campaign,
        kind=Kind.VOTE_EXCLUDED,
        unit=str(vote.public_id),
        text=vote.exclusion_reason,
        created_at=now,
    )


def vote_restored(*, vote: Vote) -> None:
    """Take back what was told of a vote that is used again, unless its validator has read it."""
    told = QualityNotice.objects.filter(worker=vote.worker, kind=Kind.VOTE_EXCLUDED)
    told.filter(unit=str(vote.public_id), seen_at=None).delete()


def twin_returned(*, back: TwinReturn, now: datetime) -> None:
    """Tell a writer that a curator asks them to write a twin anew."""
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
    """Note that *worker* has read what curators have done about their work."""
    unseen = QualityNotice.objects.filter(worker=worker, kind__in=QualityNotice.OF_CURATORS)
    unseen.filter(seen_at=None).update(seen_at=timezone.now())
