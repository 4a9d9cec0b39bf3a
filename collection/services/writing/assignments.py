"""Articles leased to writers, and the text that a writer submits."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Self

from django.db import transaction

from collection.core.rules import Domain, Report, TwinDraft, check_twin
from collection.core.words import one_blank, one_line
from collection.models import Article, Assignment, Campaign, Twin
from collection.selectors.articles import next_article_id
from collection.services.campaigns import budget
from collection.services.campaigns.campaigns import refuse_unless_open
from collection.services.joining.access import refuse_unless_may_write
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, existing
from winoplatform.metrics import counting, events
from workers.models import User


@dataclass(frozen=True, slots=True)
class TwinText:
    """The text submitted for one assignment; white space becomes single spaces."""

    sentences: tuple[str, str]
    options: tuple[str, str]
    answers: tuple[int, int]
    anchor: str
    domain: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentences", tuple(map(one_blank, self.sentences)))
        object.__setattr__(self, "options", tuple(map(one_line, self.options)))
        object.__setattr__(self, "anchor", one_line(self.anchor))

    @classmethod
    def of(cls, twin: Twin) -> Self:
        """Return the text of a stored twin."""
        questions = list(twin.questions.order_by("number"))
        return cls(
            sentences=(questions[0].sentence, questions[1].sentence),
            options=twin.options,
            answers=(questions[0].answer, questions[1].answer),
            anchor=twin.anchor,
            domain=twin.domain,
        )


def check_text(*, campaign: Campaign, text: TwinText, article: Article | None = None) -> Report:
    """Check a twin by the campaign's rules; nothing is stored.

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
    blocking = frozenset(campaign.blocking)
    return check_twin(draft, thresholds=campaign.thresholds, blocking=blocking)


@counting.timed(events.CLAIM_SECONDS, "assignment")
@transaction.atomic
def request_assignment(
    *,
    worker: User,
    campaign: Campaign,
    article: Article | None = None,
    but: Article | None = None,
) -> Assignment:
    """Lease an article to *worker*, or return the assignment they already hold.

    The article is *article*, or a random one of the least used articles except *but*
    (``selectors.articles``).

    Raises
    ------
    DomainError
        ``campaign_not_open``, what ``access.refuse_unless_may_write`` raises,
        ``budget_exhausted``, ``no_articles``, ``articles_used_up``, or
        ``another_assignment_open`` if *article* is given and another one is held.
    """
    now = clock.now()
    one_at_a_time(worker)
    mine = Assignment.objects.filter(worker=worker, campaign=campaign)
    held = mine.held(now=now).select_related("article", "campaign").first()
    if held is not None:
        if article is not None and article != held.article:
            raise another_open()
        return held
    refuse_unless_open(campaign)
    refuse_unless_may_write(worker=worker, campaign=campaign)
    expired = mine.filter(status=Assignment.Status.OPEN).update(status=Assignment.Status.EXPIRED)
    counting.count(events.LEASES_EXPIRED, "assignment", number=expired)
    if campaign.article_uses_max is not None:
        # With a cap on uses, requests are serialized: two must not both see the last use free.
        Campaign.objects.select_for_update(no_key=True).values_list("pk").get(pk=campaign.pk)
    budget.reserve(campaign=campaign, cost=partial(_cost_of_promise, campaign.reward_twin))
    return Assignment.objects.create(
        campaign=campaign,
        article=article or _choose_article(worker, campaign, now, but),
        worker=worker,
        leased_until=_lease(campaign, now),
        reward=campaign.reward_twin,
        created_at=now,
    )


def _cost_of_promise(reward: Decimal, now_is: Campaign) -> Decimal:
    """Return what an article commits: its twin as promised now, its votes at current rates."""
    return reward + budget.cost_of_votes(now_is)


def another_open() -> DomainError:
    return Conflict(
        "another_assignment_open",
        "You have another article of this campaign. Submit or return it first.",
    )


def one_at_a_time(worker: User) -> None:
    """Serialize a worker's requests, so that two tabs get the same assignment."""
    # NO KEY: a submission of the same worker refers to this row; a stronger lock would deadlock.
    User.objects.select_for_update(no_key=True).get(pk=worker.pk)


def _choose_article(
    worker: User, campaign: Campaign, now: datetime, but: Article | None
) -> Article:
    chosen = next_article_id(campaign=campaign, worker=worker, now=now, but=but)
    if chosen is not None:
        return Article.objects.get(pk=chosen)
    if campaign.articles.current().exists():
        raise Conflict(
            "articles_used_up",
            "All other articles of this campaign are complete or assigned to writers at the "
            "moment. Please check again later."
            if but
            else (
                "All articles of this campaign are complete or assigned to writers at the "
                "moment. Please check again later."
            ),
        )
    raise Conflict(
        "no_articles",
        "This campaign has no articles for writers. A curator must import some, or give withdrawn "
        "ones to writers again.",
    )


def _lease(campaign: Campaign, now: datetime) -> datetime:
    return now + timedelta(minutes=campaign.assignment_minutes)


def own(worker: User, assignment_id: uuid.UUID, *, lock: bool = False) -> Assignment:
    """Return one of the worker's assignments, locked on request; refuse any other."""
    rows = Assignment.objects.select_related("campaign", "article").filter(worker=worker)
    if lock:
        rows = rows.select_for_update(of=("self",))
    return existing(rows.filter(public_id=assignment_id).first(), "assignment")


@transaction.atomic
def return_assignment(
    *, worker: User, assignment_id: uuid.UUID, reason: str = "", comment: str = ""
) -> Assignment:
    """Return an assignment without a twin; returning it again changes nothing.

    *reason*, one of ``Assignment.ReturnReason``, and *comment* tell curators about problems with
    the article.
    """
    assignment = own(worker, assignment_id, lock=True)
    if assignment.status in (Assignment.Status.SUBMITTED, Assignment.Status.WITHDRAWN):
        raise Conflict("already_submitted", "This twin has been submitted.")
    if assignment.status == Assignment.Status.RETURNED:
        return assignment
    assignment.status = Assignment.Status.RETURNED
    assignment.return_reason, assignment.return_comment = reason, comment
    assignment.clean_fields(exclude={"campaign", "article", "worker"})
    assignment.save(update_fields=["status", "return_reason", "return_comment"])
    return assignment


@transaction.atomic
def another_article(
    *, worker: User, assignment_id: uuid.UUID, reason: str, comment: str = ""
) -> Assignment:
    """Exchange the article for another one; it is kept if no other one is left."""
    one_at_a_time(worker)
    returned = return_assignment(
        worker=worker, assignment_id=assignment_id, reason=reason, comment=comment
    )
    return request_assignment(worker=worker, campaign=returned.campaign, but=returned.article)


@transaction.atomic
def renew_assignment(*, worker: User, assignment_id: uuid.UUID) -> Assignment:
    """Restart the lease, even after it has ended, so that a slow writer loses nothing.

    What the twin pays stays as it was promised.

    Raises
    ------
    DomainError
        ``not_found``, ``assignment_ended``, ``campaign_closed``, ``another_assignment_open``, and
        after its end what ``access.refuse_unless_may_write`` raises, or ``budget_exhausted`` if
        its share of the budget has been given to other work.
    """
    now = clock.now()
    one_at_a_time(worker)
    assignment = own(worker, assignment_id, lock=True)
    if assignment.status not in (Assignment.Status.OPEN, Assignment.Status.EXPIRED):
        raise Conflict(
            "assignment_ended",
            f"This assignment is {assignment.get_status_display()}; get another one.",
        )
    if assignment.campaign.status == Campaign.Status.CLOSED:
        raise Conflict("campaign_closed", "This campaign is closed.")
    others = Assignment.objects.filter(worker=worker, campaign=assignment.campaign)
    if others.filter(status=Assignment.Status.OPEN).exclude(pk=assignment.pk).exists():
        raise another_open()
    if assignment.status == Assignment.Status.EXPIRED or assignment.leased_until <= now:
        refuse_unless_may_write(worker=worker, campaign=assignment.campaign)
    with budget.within(assignment.campaign):
        assignment.status = Assignment.Status.OPEN
        assignment.leased_until = _lease(assignment.campaign, now)
        assignment.save(update_fields=["status", "leased_until"])
    return assignment
