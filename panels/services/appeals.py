"""Appeals about all work: that of validation, and votes of panels."""

import uuid

from django.db import transaction

from panels.models import PanelSeat
from panels.services.exclusions import restore_vote
from validation.models import Appeal
from validation.services.review import appeals
from validation.services.review.appeals import Matter
from workers.models import User


def matter_of(*, worker: User, subject: str, unit: str) -> Matter:
    """As `appeals.matter_of`, also of a vote of a panel."""
    seat = _excluded(worker, unit) if subject == Appeal.Subject.VOTE else None
    if seat is None or seat.excluded_at is None:
        return appeals.matter_of(worker=worker, subject=subject, unit=unit)
    blanked, campaign = seat.item.item.blanked, seat.panel.campaign
    return Matter(str(seat.public_id), seat.excluded_at, blanked, campaign)


@transaction.atomic
def appeal(*, worker: User, subject: str, unit: str, text: str) -> Appeal:
    """Appeal a decision about the worker's own work, once for each decision.

    Raises
    ------
    DomainError
        ``not_found``, and those of `appeals.appeal`.
    """
    matter = matter_of(worker=worker, subject=subject, unit=unit)
    return appeals.appeal(worker=worker, subject=subject, matter=matter, text=text)


@transaction.atomic
def answer_appeal(*, appeal_id: uuid.UUID, upheld: bool, answer: str, by: User) -> Appeal:
    """As `appeals.answer_appeal`; an upheld one also restores a vote of a panel.

    Raises
    ------
    DomainError
        As `appeals.answer_appeal`.
    """
    made = appeals.answer_appeal(appeal_id=appeal_id, upheld=upheld, answer=answer, by=by)
    is_vote = upheld and made.subject == Appeal.Subject.VOTE
    seat = _excluded(made.worker, made.unit) if is_vote else None
    if seat is not None:
        restore_vote(vote_id=seat.public_id, reason=made.answer, by=by)
    return made


def _excluded(worker: User, unit: str) -> PanelSeat | None:
    """Return the worker's excluded vote with that id, with its item."""
    try:
        vote_id = uuid.UUID(unit)
    except ValueError:
        return None
    votes = PanelSeat.objects.filter(worker=worker, public_id=vote_id, excluded_at__isnull=False)
    return votes.select_related("item", "panel__campaign").first()
