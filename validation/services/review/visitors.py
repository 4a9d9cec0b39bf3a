"""Reports of readers without an account: they open cases, within limits that nobody can exceed."""

import uuid
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from collection.models import Question, Twin
from validation.models import VerdictEvent, VisitorReport
from validation.services.review import cases
from validation.services.verdicts.questions import locked_question
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.http import throttle

PER_HOUR = 10
"""Reports from one address (IPv6: one /64 network) within an hour."""
UNSEEN = 3
"""Reports of one question that wait for a curator: further ones say nothing new."""
PER_DAY = 200
"""Reports in one campaign within 24 hours. Nothing is locked for it: requests at the same moment
may exceed it by a few."""


@transaction.atomic
def report_question(
    *, question_id: str, kind: str, text: str, client_key: uuid.UUID, address: str | None
) -> bool:
    """Store a reader's report of a published question, which puts the question up for review.

    Nothing is kept of who sent it. The caller has checked that the reader may see the question
    with its answer.

    Returns
    -------
    bool
        False if as many reports as count wait for a curator already: nothing is stored then.

    Raises
    ------
    DomainError
        ``too_many_reports`` (429) beyond the limits of an address or a campaign, and
        ``takes_no_reports`` (409) of a question on which curators cannot decide.
    """
    sent_before = VisitorReport.objects.filter(client_key=client_key)
    if sent_before.exists():
        return True
    _refuse_crowded(address)
    question = locked_question(question_id)
    if sent_before.exists():  # the same form at the same moment, stored while this one waited
        return True
    if not takes_reports(question_id):
        raise Conflict(
            "takes_no_reports",
            _("Curators cannot decide on this question here, so it takes no reports."),
        )
    now = clock.now()
    campaign = question.twin.campaign_id
    today = VisitorReport.objects.filter(
        question__twin__campaign=campaign, created_at__gt=now - timedelta(days=1)
    )
    if today.count() >= PER_DAY:
        raise _too_many(3600)
    if _unseen(question.pk) >= UNSEEN:
        return False
    report = VisitorReport(
        client_key=client_key, question=question, kind=kind, text=text, created_at=now
    )
    report.full_clean(validate_unique=False)
    try:
        with transaction.atomic():
            report.save(force_insert=True)
    except IntegrityError:  # one form for two questions at the same moment: the other one counts
        return True
    cases.note(question=question)
    return True


def takes_reports(question_id: str) -> bool:
    """Return whether curators can decide on a question; else nobody would look at a report."""
    questions = Question.objects.filter(public_id=question_id, twin__withdrawn_at=None)
    return questions.exclude(twin__origin=Twin.Origin.PUBLISHED).exists()


def _unseen(question: int) -> int:
    looked = VerdictEvent.objects.filter(
        question=question, action=VerdictEvent.Action.REPORT_SEEN
    ).first()
    reports = VisitorReport.objects.filter(question=question)
    return (reports.filter(created_at__gt=looked.created_at) if looked else reports).count()


def _refuse_crowded(address: str | None) -> None:
    name = f"reports:{throttle.network_of(address or '')}"
    if wait := throttle.count(name, limit=PER_HOUR, window_seconds=3600):
        raise _too_many(wait)


def _too_many(wait: int) -> DomainError:
    minutes = -(-wait // 60)
    message = ngettext(
        "Many questions were reported within a short time. Please try again in a minute.",
        "Many questions were reported within a short time. Please try again in %(n)d minutes.",
        minutes,
    )
    return DomainError(
        "too_many_reports", message % {"n": minutes}, status=429, details={"retry_after": wait}
    )
