"""What writers can do with twins: submit, withdraw and revise them until somebody has voted."""

import uuid
from datetime import datetime

from django.db import transaction

from collection.core.findings import Finding
from collection.models import Assignment, Campaign, Question, Twin
from collection.services.campaigns import budget
from collection.services.joining.access import refuse_unless_may_write
from collection.services.writing.advice import advise
from collection.services.writing.assignments import another_open, one_at_a_time, own
from collection.services.writing.changing import (
    refuse_paid_elsewhere,
    refuse_paid_out,
    refuse_voided,
    refuse_when_closed,
)
from collection.services.writing.saving import Submission, accepted, author_of, store
from collection.services.writing.texts import TwinText
from collection.signals import change_asked, twin_withdrawn
from winoplatform import clock
from winoplatform.errors import DomainError, NotFound
from workers import services as pay
from workers.models import LedgerEntry, User


def advise_writer(*, worker: User, assignment_id: uuid.UUID, text: TwinText) -> tuple[Finding, ...]:
    """Advise *worker* on a text that they may hand in now: a new twin or a revision.

    The twin that is revised does not count.

    Raises
    ------
    DomainError
        ``not_found``, ``assignment_ended``, ``lease_expired``, ``campaign_closed``,
        ``already_validated``, ``pay_voided``, and for a withdrawn twin ``another_assignment_open``
        and what ``access.refuse_unless_may_write`` raises.
    """
    now = clock.now()
    assignment = own(worker, assignment_id)
    twin = Twin.objects.filter(assignment=assignment).order_by("-pk").first()
    if twin is None:
        _refuse_unless_writable(assignment, now)
    else:
        _refuse_revision(worker, twin, assignment.campaign, now)
        change_asked.send(sender=Twin, twin=twin, is_revised=True)
    return advise(campaign=assignment.campaign, text=text, author=worker, leave_out=twin)


@transaction.atomic
def submit_twin(
    *, worker: User, assignment_id: uuid.UUID, text: TwinText, client_key: uuid.UUID
) -> Twin:
    """Store a twin for an assignment, pay for it and hand its questions to the validators.

    Returns
    -------
    Twin
        Submitting the same text again returns the first result.

    Raises
    ------
    DomainError
        ``not_found``, ``already_submitted`` (with another text), ``twin_withdrawn``,
        ``assignment_ended``, ``lease_expired``, ``campaign_closed``, and what
        ``saving.accepted`` and ``saving.store`` raise.
    """
    now = clock.now()
    assignment = own(worker, assignment_id, lock=True)
    first = Twin.objects.filter(assignment=assignment).order_by("-pk").first()
    if first is not None:
        return _first_result(first, text)
    _refuse_unless_writable(assignment, now)
    submission = Submission(assignment=assignment, text=text, client_key=client_key, at=now)
    twin = store(submission, accepted(submission))
    assignment.status = Assignment.Status.SUBMITTED
    assignment.save(update_fields=["status"])
    return twin


def _first_result(twin: Twin, text: TwinText) -> Twin:
    if twin.withdrawn_at is not None:
        raise DomainError(
            "twin_withdrawn",
            "You withdrew the twin of this assignment; revise that twin to hand it in again.",
            status=409,
            details={"twin": str(twin.public_id)},
        )
    if text == TwinText.of(twin):
        return twin
    raise DomainError(
        "already_submitted",
        "A twin was submitted for this assignment already; revise it, or ask for another article "
        "to write more.",
        status=409,
        details={"twin": str(twin.public_id)},
    )


def _refuse_unless_writable(assignment: Assignment, now: datetime) -> None:
    expired = assignment.status == Assignment.Status.EXPIRED or assignment.leased_until <= now
    if assignment.status == Assignment.Status.RETURNED:
        raise DomainError("assignment_ended", "You returned this assignment.", status=409)
    if expired:
        raise DomainError(
            "lease_expired",
            "Your time for this article is over. Renew the assignment and submit again: "
            "nothing you wrote is lost.",
            status=410,
            details={"assignment": str(assignment.public_id)},
        )
    refuse_when_closed(assignment.campaign)


@transaction.atomic
def withdraw_twin(*, worker: User, twin_id: uuid.UUID) -> Twin:
    """Take a twin back before anybody has voted on it; its pay is taken back as well.

    Withdrawing twice is the same as once.

    Raises
    ------
    DomainError
        ``not_found``, ``already_validated`` once a first vote is there, ``returned`` where a
        curator waits for another text, ``session_completed`` where the twin has completed a session
        that a crowd platform pays for, or ``pay_has_left`` once a payout holds its pay.
    """
    twin = _own_twin(worker, twin_id)
    if twin.withdrawn_at is None:
        refuse_paid_elsewhere(twin)
        _withdraw(twin, clock.now(), is_revised=False)
    return twin


@transaction.atomic
def revise_twin(*, worker: User, twin_id: uuid.UUID, text: TwinText, client_key: uuid.UUID) -> Twin:
    """Put a new text in the place of a twin that nobody has voted on, or that was withdrawn.

    The twin of before is withdrawn and stays as it was; the new one names it in ``revises``, has
    seats and pay of its own, and belongs to the same assignment.

    Returns
    -------
    Twin
        The new twin. Sending the same text again returns the first result; the text that stands
        already returns the twin as it is.

    Raises
    ------
    DomainError
        ``not_found``, ``already_validated``, ``already_revised`` (with another text),
        ``campaign_closed``, ``pay_voided`` unless a curator waits for another text, for a withdrawn
        twin ``another_assignment_open`` and what ``access.refuse_unless_may_write`` raises,
        ``budget_exhausted``,
        and what ``saving.accepted`` and ``saving.store`` raise.
    """
    one_at_a_time(worker)
    old = _own_twin(worker, twin_id)
    later = Twin.objects.filter(revises=old).first()
    if later is not None:
        return _first_revision(later, text)
    if old.withdrawn_at is None and text == TwinText.of(old):
        return old
    now = clock.now()
    _refuse_revision(worker, old, old.campaign, now)
    submission = Submission(
        assignment=_assignment(old), text=text, client_key=client_key, at=now, revises=old
    )
    checked = accepted(submission)
    _lock_questions(old)
    # A withdrawn twin gave its place in the budget away, and one returned for revision wants all
    # votes anew.
    with budget.within(old.campaign):
        if old.withdrawn_at is None:
            _withdraw(old, now, is_revised=True)
        _mark(old, Assignment.Status.SUBMITTED)
        return store(submission, checked)


def _refuse_revision(worker: User, twin: Twin, campaign: Campaign, now: datetime) -> None:
    """Refuse another text for *twin*; a withdrawn one gave its place away and wants a new one."""
    refuse_when_closed(campaign)
    refuse_voided(twin)
    if twin.withdrawn_at is None:
        return
    if Assignment.objects.filter(worker=worker, campaign=campaign).held(now=now).exists():
        raise another_open()
    refuse_unless_may_write(worker=worker, campaign=campaign)


def _first_revision(later: Twin, text: TwinText) -> Twin:
    if text == TwinText.of(later):
        return later
    raise DomainError(
        "already_revised",
        "You have revised this twin already; revise the newer one.",
        status=409,
        details={"twin": str(later.public_id)},
    )


def _own_twin(worker: User, twin_id: uuid.UUID) -> Twin:
    """Return a twin that *worker* wrote here, locked: changes of one twin take turns."""
    mine = Twin.objects.filter(author=worker, public_id=twin_id, assignment__isnull=False)
    locked = mine.select_for_update(of=("self",), no_key=True)
    twin = locked.select_related(
        "campaign", "author", "assignment__campaign", "assignment__article", "assignment__worker"
    ).first()
    if twin is None:
        raise NotFound("twin")
    return twin


def _lock_questions(twin: Twin) -> None:
    """Take turns with votes: whoever decides has a question locked when it asks the campaign."""
    questions = Question.objects.filter(twin=twin).order_by("pk")
    list(questions.select_for_update(no_key=True).values_list("pk"))


def _withdraw(twin: Twin, now: datetime, *, is_revised: bool) -> None:
    twin_withdrawn.send(sender=Twin, twin=twin, is_revised=is_revised)
    if is_revised:
        # Again, in turn with a void at the same moment.
        pay.one_at_a_time(twin.campaign.public_id)
        refuse_voided(twin)
    else:
        # In turn with payouts: one at the same moment has taken the pay already, or waits and sees
        # the twin withdrawn. After the questions, which others hold while they wait for a turn.
        pay.one_at_a_time(twin.campaign.public_id)
        refuse_paid_out(twin)
    twin.withdrawn_at = now
    twin.save(update_fields=["withdrawn_at"])
    _mark(twin, Assignment.Status.WITHDRAWN)
    pay.take_back(worker=author_of(twin), kind=LedgerEntry.Kind.TWIN, unit=str(twin.public_id))


def _assignment(twin: Twin) -> Assignment:
    assert twin.assignment is not None
    return twin.assignment


def _mark(twin: Twin, status: str) -> None:
    """Let the assignment say whether its twin stands: the article's uses are counted by it."""
    Assignment.objects.filter(twins=twin).update(status=status)
