"""Appeals: a worker asks a curator to review a decision about their work."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.models import Campaign, Question
from validation.models import Appeal, Verdict, Vote
from validation.selectors.people import appeals_for
from validation.services.review import cases
from validation.services.review.exclusions import restore
from winoplatform.errors import Conflict, DomainError, existing
from workers.models import Pause, User
from workers.services import open_pause, resume_worker

WINDOW = timedelta(days=14)
"""The time limit of appeals: long enough for workers who work only at weekends, and short enough
that a data set can be closed."""


@dataclass(frozen=True, slots=True)
class Matter:
    """The subject of an appeal: its unique id, the time of the decision, and a description."""

    unit: str
    since: datetime
    title: str
    campaign: Campaign | None = None
    """Whose work it is about; none of a pause."""

    @property
    def until(self) -> datetime:
        return self.since + WINDOW


def matter_of(*, worker: User, subject: str, unit: str) -> Matter:
    """Return the decision that *worker* may appeal.

    Parameters
    ----------
    unit
        Public id of the question or vote; for a pause its number, as shown to the worker.

    Raises
    ------
    DomainError
        ``not_found``, also for another worker's unit or one without a decision to appeal.
    """
    return existing(
        _FINDERS[Appeal.Subject(subject)](worker, unit) if subject in _FINDERS else None,
        "matter to appeal in",
    )


def _question(worker: User, unit: str) -> Matter | None:
    verdicts = Verdict.objects.filter(
        question__public_id=unit, question__twin__author=worker, valid=False
    ).exclude(reasons__contains=["returned"])
    verdict = verdicts.select_related("question__twin__campaign").first()
    if verdict is None:
        return None
    question = verdict.question
    campaign = question.twin.campaign
    return Matter(question.public_id, verdict.created_at, question.sentence, campaign)


def _vote(worker: User, unit: str) -> Matter | None:
    try:
        vote_id = uuid.UUID(unit)
    except ValueError:
        return None
    votes = Vote.objects.filter(public_id=vote_id, worker=worker, excluded_at__isnull=False)
    vote = votes.select_related("question", "seat__campaign").first()
    if vote is None or vote.excluded_at is None:
        return None
    sentence, campaign = vote.question.sentence, vote.seat.campaign
    return Matter(str(vote.public_id), vote.excluded_at, sentence, campaign)


def _pause(worker: User, unit: str) -> Matter | None:
    pause = open_pause(worker)
    is_number = unit.isascii() and unit.isdigit() and len(unit) < 18
    if pause is None or not is_number or pause.pk != int(unit):
        return None
    return Matter(str(pause.pk), pause.created_at, pause.reason)


_FINDERS = {
    Appeal.Subject.QUESTION: _question,
    Appeal.Subject.VOTE: _vote,
    Appeal.Subject.PAUSE: _pause,
}


@transaction.atomic
def appeal(*, worker: User, subject: str, matter: Matter, text: str) -> Appeal:
    """Appeal a decision, once for each decision; *matter* is what `matter_of` returns.

    Raises
    ------
    DomainError
        ``text_missing``, ``appeal_too_late`` or ``already_appealed``.
    """
    why = text.strip()[:1000]
    if not why:
        raise DomainError("text_missing", "Please give a reason for your appeal.")
    if timezone.now() > matter.until:
        raise Conflict(
            "appeal_too_late",
            f"You can appeal for {WINDOW.days} days after a decision. This time is over.",
            details={"until": matter.until.isoformat()},
        )
    made = Appeal(
        worker=worker, campaign=matter.campaign, subject=subject, unit=matter.unit, text=why
    )
    made.full_clean(validate_constraints=False)
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError:
        # Only the constraint detects two concurrent submissions of the same appeal.
        raise Conflict("already_appealed", "You have already appealed against this.") from None
    return made


@transaction.atomic
def answer_appeal(*, appeal_id: uuid.UUID, upheld: bool, answer: str, by: User) -> Appeal:
    """Answer an appeal; an upheld appeal takes effect at once.

    A question returns to the top of the review queue, a vote on it counts again, a pause ends. A
    vote of another kind is restored by the caller.

    Raises
    ------
    DomainError
        ``not_found``, ``answer_missing`` or ``already_answered``.
    """
    words = answer.strip()[:1000]
    if not words:
        raise DomainError("answer_missing", "Enter an answer. The worker reads it.")
    made = existing(
        appeals_for(by).filter(public_id=appeal_id).select_related("worker").first(), "appeal"
    )
    now = timezone.now()
    if upheld:
        _grant(made, words, by)
    status = Appeal.Status.UPHELD if upheld else Appeal.Status.DECLINED
    answered = Appeal.objects.open().filter(pk=made.pk)
    if not answered.update(status=status, answer=words, decided_by=by, decided_at=now):
        raise Conflict("already_answered", "Another curator has already answered this appeal.")
    made.refresh_from_db()
    return made


def _grant(made: Appeal, words: str, by: User) -> None:
    if made.subject == Appeal.Subject.QUESTION:
        rows = Question.objects.filter(public_id=made.unit).select_related("twin")
        question = rows.select_for_update(of=("self",), no_key=True).get()
        cases.note(question=question, appealed=True, closed_at=None)
    elif made.subject == Appeal.Subject.VOTE:
        _restore(made, words, by)
    elif Pause.objects.open().filter(worker=made.worker, pk=int(made.unit)).exists():
        resume_worker(worker=made.worker)


def _restore(made: Appeal, words: str, by: User) -> None:
    vote_id = uuid.UUID(made.unit)
    if Vote.objects.filter(public_id=vote_id).exists():
        restore(vote_id=vote_id, reason=words, by=by)
