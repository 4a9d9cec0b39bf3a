"""Services of twins, for writers: submit, withdraw and revise until the first vote.

A twin and its seats are stored, and withdrawn, in one transaction. Also: whether a submitted twin
may still be withdrawn or revised, and if not, why.
"""

import uuid
from datetime import datetime

from django.db import transaction

from collection.core.findings import Finding
from collection.models import Assignment, Campaign, CrowdSession, Question, SessionCredit, Twin
from collection.selectors.pay import pay_has_left, pay_is_void
from collection.services.campaigns import budget
from collection.services.joining.access import refuse_unless_may_write
from collection.services.joining.withdrawal import refuse_if_withdrawn
from collection.services.writing.assignments import TwinText, another_open, one_at_a_time, own
from collection.services.writing.saving import (
    Checked,
    Submission,
    accepted,
    advise,
    author_of,
    store,
)
from validation.models import TwinReturn
from validation.selectors.public_answers import with_public_answers
from validation.services.review.returns import block_former_validators
from validation.services.review.suspicions import flag_words
from validation.services.validating.seats import (
    keep_blocked,
    open_seats,
    refuse_change,
    withdraw_seats,
)
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, existing
from workers import services as pay
from workers.models import LedgerEntry, User


def advise_writer(*, worker: User, assignment_id: uuid.UUID, text: TwinText) -> tuple[Finding, ...]:
    """Return advice on a text that *worker* may submit now: a new twin or a revision.

    The revised twin itself is left out of the comparison.

    Raises
    ------
    DomainError
        ``not_found``, ``assignment_ended``, ``lease_expired``, ``campaign_closed``,
        ``already_validated``, ``pay_voided``, and for a withdrawn twin ``another_assignment_open``
        and those of ``access.refuse_unless_may_write``.
    """
    now = clock.now()
    assignment = own(worker, assignment_id)
    twin = Twin.objects.filter(assignment=assignment).order_by("-pk").first()
    if twin is None:
        _refuse_unless_writable(assignment, now)
    else:
        _refuse_revision(worker, twin, assignment.campaign, now)
        refuse_change(twin=twin, is_revised=True)
    return advise(
        campaign=assignment.campaign,
        text=text,
        author=worker,
        public=with_public_answers(),
        leave_out=twin,
    )


@transaction.atomic
def submit_twin(
    *, worker: User, assignment_id: uuid.UUID, text: TwinText, client_key: uuid.UUID
) -> Twin:
    """Store a twin for an assignment, pay for it and open its questions for validation.

    Returns
    -------
    Twin
        Submitting the same text again returns the first result.

    Raises
    ------
    DomainError
        ``not_found``, ``already_submitted`` (with another text), ``twin_withdrawn``,
        ``assignment_ended``, ``lease_expired``, ``campaign_closed``, and those of
        ``saving.accepted`` and ``saving.store``.
    """
    now = clock.now()
    assignment = own(worker, assignment_id, lock=True)
    first = Twin.objects.filter(assignment=assignment).order_by("-pk").first()
    if first is not None:
        return _first_result(first, text)
    _refuse_unless_writable(assignment, now)
    submission = Submission(assignment=assignment, text=text, client_key=client_key, at=now)
    twin = _store_twin(submission, accepted(submission, public=with_public_answers()))
    assignment.status = Assignment.Status.SUBMITTED
    assignment.save(update_fields=["status"])
    return twin


def _first_result(twin: Twin, text: TwinText) -> Twin:
    if twin.withdrawn_at is not None:
        raise Conflict(
            "twin_withdrawn",
            "You withdrew the twin of this assignment. Revise that twin to submit it again.",
            details={"twin": str(twin.public_id)},
        )
    if text == TwinText.of(twin):
        return twin
    raise Conflict(
        "already_submitted",
        "A twin was already submitted for this assignment. Revise it, or get another article.",
        details={"twin": str(twin.public_id)},
    )


def _refuse_unless_writable(assignment: Assignment, now: datetime) -> None:
    expired = assignment.status == Assignment.Status.EXPIRED or assignment.leased_until <= now
    if assignment.status == Assignment.Status.RETURNED:
        raise Conflict("assignment_ended", "You returned this assignment.")
    if expired:
        raise DomainError(
            "lease_expired",
            "Your time for this article is over. Renew it and submit again. Your text is not lost.",
            status=410,
            details={"assignment": str(assignment.public_id)},
        )
    refuse_when_closed(assignment.campaign)


@transaction.atomic
def withdraw_twin(*, worker: User, twin_id: uuid.UUID) -> Twin:
    """Withdraw a twin without votes, and reverse its pay.

    Withdrawing it again changes nothing.

    Raises
    ------
    DomainError
        ``not_found``, ``already_validated`` after a first vote, ``returned`` if a curator waits
        for a revision, ``session_completed`` if the twin has completed a session that a crowd
        platform pays for, or ``pay_has_left`` if its pay is in a payout.
    """
    twin = _own_twin(worker, twin_id)
    if twin.withdrawn_at is None:
        refuse_paid_elsewhere(twin)
        _withdraw(twin, clock.now(), is_revised=False)
    return twin


@transaction.atomic
def revise_twin(*, worker: User, twin_id: uuid.UUID, text: TwinText, client_key: uuid.UUID) -> Twin:
    """Replace a twin that has no votes, was returned for revision or was withdrawn.

    The old twin is withdrawn and its text stays; the new one refers to it in ``revises``, has its
    own seats and pay, and belongs to the same assignment.

    Returns
    -------
    Twin
        The new twin. Sending the same text again returns the first result; an unchanged text
        returns the twin as it is.

    Raises
    ------
    DomainError
        ``not_found``, ``already_validated``, ``already_revised`` (with another text),
        ``campaign_closed``, ``consent_withdrawn``, ``pay_voided`` unless a curator waits for a
        revision, for a withdrawn twin ``another_assignment_open`` and those of
        ``access.refuse_unless_may_write``,
        ``budget_exhausted``, and those of ``saving.accepted`` and ``saving.store``.
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
    checked = accepted(submission, public=with_public_answers())
    _lock_questions(old)
    # A withdrawn twin has released its share of the budget, and a returned one needs new votes.
    with budget.within(old.campaign):
        if old.withdrawn_at is None:
            _withdraw(old, now, is_revised=True)
        _mark(old, Assignment.Status.SUBMITTED)
        return _store_twin(submission, checked)


def _store_twin(submission: Submission, checked: Checked) -> Twin:
    """Store a twin and open its questions for validation."""
    twin = store(submission, checked)
    open_seats(twin=twin)
    if twin.revises is not None:
        keep_blocked(twin=twin)
        block_former_validators(twin=twin)
    flag_words(twin=twin)
    return twin


def _refuse_revision(worker: User, twin: Twin, campaign: Campaign, now: datetime) -> None:
    """Refuse to revise *twin*; a withdrawn one needs the same checks as a new assignment."""
    refuse_when_closed(campaign)
    refuse_if_withdrawn(worker=worker, campaign=campaign)
    refuse_voided(twin)
    if twin.withdrawn_at is None:
        return
    if Assignment.objects.filter(worker=worker, campaign=campaign).held(now=now).exists():
        raise another_open()
    refuse_unless_may_write(worker=worker, campaign=campaign)


def _first_revision(later: Twin, text: TwinText) -> Twin:
    if text == TwinText.of(later):
        return later
    raise Conflict(
        "already_revised",
        "You have already revised this twin. Revise the newer one.",
        details={"twin": str(later.public_id)},
    )


def _own_twin(worker: User, twin_id: uuid.UUID) -> Twin:
    """Return a twin that *worker* wrote here, locked, so that changes are serialized."""
    mine = Twin.objects.filter(author=worker, public_id=twin_id, assignment__isnull=False)
    locked = mine.select_for_update(of=("self",), no_key=True)
    return existing(
        locked.select_related(
            "campaign",
            "author",
            "assignment__campaign",
            "assignment__article",
            "assignment__worker",
        ).first(),
        "twin",
    )


def _lock_questions(twin: Twin) -> None:
    """Lock the questions before the campaign, in the same order as votes do."""
    questions = Question.objects.filter(twin=twin).order_by("pk")
    list(questions.select_for_update(no_key=True).values_list("pk"))


def _withdraw(twin: Twin, now: datetime, *, is_revised: bool) -> None:
    withdraw_seats(twin=twin, is_revised=is_revised)
    if is_revised:
        # Checked again, now serialized with a concurrent void.
        pay.one_at_a_time(twin.campaign.public_id)
        refuse_voided(twin)
    else:
        # Serialized with payouts: a concurrent payout has already taken the pay, or waits and sees
        # the twin withdrawn. After the questions, which others lock before they wait for this.
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
    """Update the assignment's status, from which the uses of its article are counted."""
    Assignment.objects.filter(twins=twin).update(status=status)


def changeable(twin: Twin, *, is_revised: bool) -> DomainError | None:
    """Return why *twin* cannot be revised (*is_revised*) or withdrawn; None if it can.

    Does not check the eligibility of its writer, nor whether it is already withdrawn or revised.
    The services check again, serialized with votes and payouts.
    """
    try:
        if is_revised:
            refuse_when_closed(twin.campaign)
            refuse_voided(twin)
        else:
            refuse_paid_elsewhere(twin)
            refuse_paid_out(twin)
        refuse_change(twin=twin, is_revised=is_revised)
    except DomainError as refusal:
        return refusal
    return None


def refuse_when_closed(campaign: Campaign) -> None:
    if campaign.status == Campaign.Status.CLOSED:
        raise Conflict("campaign_closed", "This campaign is closed.")


def refuse_voided(twin: Twin) -> None:
    """Refuse to revise a twin whose pay is void: its writer would be paid again.

    Only the pay of this text counts. If an earlier text's pay is void, a curator requested this
    one.
    """
    if not pay_is_void(twin) or TwinReturn.objects.filter(twin=twin).exists():
        return
    raise Conflict(
        "pay_voided",
        "The pay of this twin was cancelled, so you cannot revise it. The reason is shown under "
        "“My pay”.",
    )


def refuse_paid_elsewhere(twin: Twin) -> None:
    """Refuse a twin of a completed session: its platform pays for it in any case."""
    credit = SessionCredit.objects.filter(unit=twin.public_id)
    if credit.filter(session__status=CrowdSession.Status.COMPLETED).exists():
        raise Conflict(
            "session_completed",
            "This twin completed your session, so it cannot be withdrawn. You can still revise it.",
        )


def refuse_paid_out(twin: Twin) -> None:
    """Refuse a twin in a payout: its pay cannot be reversed and stays in the budget."""
    if pay_has_left(twin):
        raise Conflict(
            "pay_has_left",
            "This twin is in a payout, so it cannot be withdrawn. You can revise it until it "
            "has its first vote.",
        )
