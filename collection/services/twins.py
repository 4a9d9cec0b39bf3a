"""What writers can do with twins: have them checked, submit them."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.core.fingerprints import fingerprint
from collection.core.rules import Domain, Report, TwinDraft, check_twin
from collection.models import Article, Assignment, Campaign, Question, Twin
from collection.services.assignments import own
from collection.signals import twin_submitted
from winoplatform.errors import DomainError
from workers import services as pay
from workers.models import LedgerEntry, User


@dataclass(frozen=True, slots=True)
class TwinText:
    """What a writer hands in for one assignment."""

    sentences: tuple[str, str]
    options: tuple[str, str]
    answers: tuple[int, int]
    anchor: str
    domain: str

    @classmethod
    def of(cls, twin: Twin) -> Self:
        """Return what was handed in for a twin that is stored."""
        questions = list(twin.questions.order_by("number"))
        return cls(
            sentences=(questions[0].sentence, questions[1].sentence),
            options=(twin.option1, twin.option2),
            answers=(questions[0].answer, questions[1].answer),
            anchor=twin.anchor,
            domain=twin.domain,
        )


def check_text(*, campaign: Campaign, text: TwinText, article: Article | None = None) -> Report:
    """Check a twin by the campaign's rules, as often as one types; nothing is stored.

    With *article* the anchor must come from it.
    """
    draft = TwinDraft(
        sentences=text.sentences,
        options=text.options,
        answers=text.answers,
        anchor=text.anchor,
        domain=Domain(text.domain) if text.domain in set(Domain) else None,
        article=f"{article.title}\n{article.text}" if article else None,
    )
    return check_twin(draft, thresholds=campaign.thresholds)


@transaction.atomic
def submit_twin(
    *, worker: User, assignment_id: uuid.UUID, text: TwinText, client_key: uuid.UUID
) -> Twin:
    """Store a twin for an assignment, pay for it and hand its questions to the judges.

    Returns
    -------
    Twin
        Submitting the same text again returns the first result.

    Raises
    ------
    DomainError
        ``not_found``, ``already_submitted`` (with another text), ``assignment_ended``,
        ``lease_expired``, ``campaign_closed``, ``rules_broken`` (with the findings),
        ``twin_exists`` (the campaign has these sentences), ``client_key_used``.
    """
    now = timezone.now()
    assignment = own(worker, assignment_id, lock=True)
    first = Twin.objects.filter(assignment=assignment).first()
    if first is not None:
        return _first_result(first, text)
    _refuse_unless_writable(assignment, now)
    report = _accepted(assignment, text)
    try:
        with transaction.atomic():
            twin = _store(assignment, text, client_key, report, now)
    except IntegrityError as error:
        conflict = CONFLICTS.get(_constraint(error))
        if conflict is None:
            raise
        raise DomainError(*conflict, status=409) from None
    assignment.status = Assignment.Status.SUBMITTED
    assignment.save(update_fields=["status"])
    _pay(twin)
    twin_submitted.send(sender=Twin, twin=twin)
    return twin


CONFLICTS = {
    "collection_twin_is_submitted_once": (
        "client_key_used",
        "This client key belongs to another twin of yours; make a new one for each twin.",
    ),
    "collection_twin_is_written_once": (
        "twin_exists",
        "This campaign has these very sentences already; write another twin.",
    ),
}


def _constraint(error: IntegrityError) -> str:
    return str(getattr(getattr(error.__cause__, "diag", None), "constraint_name", ""))


def _first_result(twin: Twin, text: TwinText) -> Twin:
    if text == TwinText.of(twin):
        return twin
    raise DomainError(
        "already_submitted",
        "A twin was submitted for this assignment already; ask for another article to write more.",
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
    if assignment.campaign.status == Campaign.Status.CLOSED:
        raise DomainError("campaign_closed", "This campaign is closed.", status=409)


def _accepted(assignment: Assignment, text: TwinText) -> Report:
    report = check_text(campaign=assignment.campaign, text=text, article=assignment.article)
    if not report.accepted:
        raise DomainError(
            "rules_broken",
            "The twin breaks a rule; each finding says where and how to mend it.",
            details={"findings": [finding.as_dict() for finding in report.findings]},
        )
    return report


def _store(
    assignment: Assignment, text: TwinText, client_key: uuid.UUID, report: Report, now: datetime
) -> Twin:
    twin = Twin(
        campaign=assignment.campaign,
        assignment=assignment,
        author=assignment.worker,
        client_key=client_key,
        domain=text.domain,
        anchor=text.anchor,
        option1=text.options[0],
        option2=text.options[1],
        trigger=report.trigger.as_dict(),
        fingerprint=fingerprint(text.sentences),
        warnings=sorted({finding.code for finding in report.warnings}),
        created_at=now,
    )
    twin.clean_fields()
    twin.save()
    Question.objects.bulk_create(
        Question(twin=twin, number=number, sentence=sentence, answer=answer, created_at=now)
        for number, (sentence, answer) in enumerate(
            zip(text.sentences, text.answers, strict=True), start=1
        )
    )
    return twin


def _pay(twin: Twin) -> None:
    campaign, author = twin.campaign, twin.author
    assert author is not None
    pay.accrue(
        worker=author,
        kind=LedgerEntry.Kind.TWIN,
        unit=str(twin.public_id),
        amount=campaign.reward_twin,
        currency=campaign.currency,
        budget=campaign.public_id,
    )
