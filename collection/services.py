"""What writers, curators and programs can do in priming and authoring."""

import random
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.core.rules import Domain, Report, TwinDraft, check_twin
from collection.models import Article, Assignment, Campaign, Question, Twin
from collection.signals import twin_submitted
from winoplatform.errors import DomainError, NotFound
from workers import services as pay
from workers.models import LedgerEntry, User

MOVES = {
    Campaign.Status.DRAFT: {Campaign.Status.OPEN},
    Campaign.Status.OPEN: {Campaign.Status.PAUSED, Campaign.Status.CLOSED},
    Campaign.Status.PAUSED: {Campaign.Status.OPEN, Campaign.Status.CLOSED},
    Campaign.Status.CLOSED: set(),
}


@transaction.atomic
def create_campaign(**fields: Any) -> Campaign:
    """Make a campaign; every threshold and reward has the paper's value by default."""
    campaign = Campaign(**fields)
    campaign.full_clean()
    campaign.save()
    return campaign


@transaction.atomic
def update_campaign(*, campaign: Campaign, **changes: Any) -> Campaign:
    """Change a campaign's settings; what has been written, judged and paid stays as it is."""
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    for name, value in changes.items():
        setattr(locked, name, value)
    locked.full_clean()
    locked.save(update_fields=list(changes))
    return locked


@transaction.atomic
def change_status(*, campaign: Campaign, status: str) -> Campaign:
    """Move a campaign along its arrows (see ``Campaign``)."""
    sources = [source for source, targets in MOVES.items() if status in targets]
    moved = Campaign.objects.filter(pk=campaign.pk, status__in=sources).update(status=status)
    campaign.refresh_from_db()
    if not moved:
        raise DomainError(
            "status_not_reachable",
            f"The campaign is {campaign.get_status_display()}; it cannot become {status}.",
            status=409,
        )
    return campaign


@dataclass(frozen=True, slots=True)
class TwinText:
    """What a writer hands in for one assignment."""

    sentences: tuple[str, str]
    options: tuple[str, str]
    answers: tuple[int, int]
    anchor: str
    domain: str


@transaction.atomic
def request_assignment(
    *, worker: User, campaign: Campaign, article: Article | None = None
) -> Assignment:
    """Give *worker* a random article (or *article*) under a lease, or the one already held.

    Raises
    ------
    DomainError
        ``campaign_not_open`` or ``no_articles``.
    """
    now = timezone.now()
    _one_at_a_time(worker)
    mine = Assignment.objects.filter(worker=worker, campaign=campaign)
    held = mine.held(now=now).select_related("article", "campaign").first()
    if held is not None:
        return held
    _refuse_unless_open(campaign)
    mine.filter(status=Assignment.Status.OPEN).update(status=Assignment.Status.EXPIRED)
    return Assignment.objects.create(
        campaign=campaign,
        article=article or _random_article(campaign),
        worker=worker,
        leased_until=_lease(campaign, now),
        created_at=now,
    )


def _one_at_a_time(worker: User) -> None:
    """Let a worker's requests wait for each other: two tabs get the same assignment."""
    # NO KEY: a submission of the same worker refers to this row, and each would wait for the other.
    User.objects.select_for_update(no_key=True).get(pk=worker.pk)


def _refuse_unless_open(campaign: Campaign) -> None:
    if campaign.status != Campaign.Status.OPEN:
        raise DomainError(
            "campaign_not_open",
            f"“{campaign.name}” is {campaign.get_status_display()} and hands out no work now.",
            status=409,
        )


def _random_article(campaign: Campaign) -> Article:
    articles = campaign.articles.order_by("pk")
    count = articles.count()
    if not count:
        raise DomainError(
            "no_articles",
            "This campaign has no articles yet; a curator has to import some.",
            status=409,
        )
    return articles[random.randrange(count)]


def _lease(campaign: Campaign, now: datetime) -> datetime:
    return now + timedelta(minutes=campaign.assignment_minutes)


def _own(worker: User, assignment_id: uuid.UUID, *, lock: bool = False) -> Assignment:
    rows = Assignment.objects.select_related("campaign", "article").filter(worker=worker)
    if lock:
        rows = rows.select_for_update(of=("self",))
    assignment = rows.filter(public_id=assignment_id).first()
    if assignment is None:
        raise NotFound("assignment")
    return assignment


@transaction.atomic
def return_assignment(*, worker: User, assignment_id: uuid.UUID) -> Assignment:
    """Give an assignment back unwritten; returning it twice is the same as once."""
    assignment = _own(worker, assignment_id, lock=True)
    if assignment.status == Assignment.Status.SUBMITTED:
        raise DomainError("already_submitted", "This twin has been submitted.", status=409)
    assignment.status = Assignment.Status.RETURNED
    assignment.save(update_fields=["status"])
    return assignment


@transaction.atomic
def renew_assignment(*, worker: User, assignment_id: uuid.UUID) -> Assignment:
    """Start the lease anew, also after it ended, so that a slow writer loses nothing."""
    _one_at_a_time(worker)
    assignment = _own(worker, assignment_id, lock=True)
    if assignment.status not in (Assignment.Status.OPEN, Assignment.Status.EXPIRED):
        raise DomainError(
            "assignment_ended",
            f"This assignment is {assignment.get_status_display()}; ask for another one.",
            status=409,
        )
    others = Assignment.objects.filter(worker=worker, campaign=assignment.campaign)
    if others.filter(status=Assignment.Status.OPEN).exclude(pk=assignment.pk).exists():
        raise DomainError(
            "another_assignment_open",
            "You hold another assignment of this campaign; submit or return that one first.",
            status=409,
        )
    assignment.status = Assignment.Status.OPEN
    assignment.leased_until = _lease(assignment.campaign, timezone.now())
    assignment.save(update_fields=["status", "leased_until"])
    return assignment


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
        Submitting again with the same *client_key* or the same text returns the first result.

    Raises
    ------
    DomainError
        ``not_found``, ``already_submitted``, ``assignment_ended``, ``lease_expired``,
        ``campaign_closed``, ``rules_broken`` (with the findings).
    """
    now = timezone.now()
    assignment = _own(worker, assignment_id, lock=True)
    first = Twin.objects.filter(assignment=assignment).first()
    if first is not None:
        return _first_result(first, text, client_key)
    _refuse_unless_writable(assignment, now)
    report = _accepted(assignment, text)
    try:
        with transaction.atomic():
            twin = _store(assignment, text, client_key, report, now)
    except IntegrityError:
        raise DomainError(
            "client_key_used",
            "This client key belongs to another twin of yours; make a new one for each twin.",
            status=409,
        ) from None
    assignment.status = Assignment.Status.SUBMITTED
    assignment.save(update_fields=["status"])
    _pay(twin)
    twin_submitted.send(sender=Twin, twin=twin)
    return twin


def _first_result(twin: Twin, text: TwinText, client_key: uuid.UUID) -> Twin:
    sentences = tuple(twin.questions.order_by("number").values_list("sentence", flat=True))
    if client_key == twin.client_key or sentences == text.sentences:
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
