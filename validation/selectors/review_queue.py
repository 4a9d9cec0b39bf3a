"""The review queue, and the state of a question in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Func, IntegerField, OuterRef, Q, QuerySet

from collection.models import Campaign, Question, Twin
from validation.core.verdicts import Reason
from validation.models import Appeal, Case, CaseQuerySet, QualityReport, QuestionFacts, Verdict
from validation.models.cases import KEY_BITS
from validation.selectors.people import appeals_for
from validation.selectors.quality import advice
from winoplatform.http.rights import Right
from workers.models import User


class QuestionState(StrEnum):
    """The validation state of a question."""

    AWAITING_VOTES = "awaiting_votes"
    VALID = "valid"
    INVALID = "invalid"
    NOT_USED = "not_used"  # a curator has excluded it; it is paid
    RETURNED = "returned"  # a curator asks its author to revise it
    PUBLISHED = "published"  # validated elsewhere, before it came here
    WITHDRAWN = "withdrawn"  # withdrawn or revised by its author


VALID_STATES = (QuestionState.VALID, QuestionState.PUBLISHED)
# Of `QuestionFacts`: what a campaign has, how much of it is decided, and how much of that is valid.
STAGES = {
    "written": Count("pk"),
    "validated": Count("pk", filter=~Q(state=QuestionState.AWAITING_VOTES)),
    "valid": Count("pk", filter=Q(state__in=VALID_STATES)),
}


def active_facts() -> "QuerySet[QuestionFacts]":
    """Return the facts of questions that their authors have not withdrawn or revised."""
    return QuestionFacts.objects.order_by().exclude(state=QuestionState.WITHDRAWN)


def question_state(question: Question) -> QuestionState:
    """Return the state of *question*; its twin and verdict should be loaded with it."""
    verdict: Verdict | None = getattr(question, "verdict", None)
    if question.twin.withdrawn_at is not None:
        return QuestionState.WITHDRAWN
    if verdict is not None:
        return _decided(verdict)
    if question.twin.origin == Twin.Origin.PUBLISHED:
        return QuestionState.PUBLISHED
    return QuestionState.AWAITING_VOTES


def _decided(verdict: Verdict) -> QuestionState:
    if verdict.valid:
        return QuestionState.VALID
    if Reason.RETURNED in verdict.reasons:
        return QuestionState.RETURNED
    return QuestionState.NOT_USED if Reason.EXCLUDED in verdict.reasons else QuestionState.INVALID


OPEN, RETURNED, CLOSED, ALL = "open", "returned", "closed", "all"
STATES = (OPEN, RETURNED, CLOSED, ALL)
DOUBT = 20
"""Default least doubt, in percent of the votes: a fifth differs about what decides the verdict."""
COUNTED = 999
"""The maximum count shown in the head of a page."""


def review_queue(campaign: Campaign, *, state: str = OPEN, doubt: int = DOUBT) -> QuerySet[Case]:
    """Return the cases of a campaign in queue order, with the related rows that a list shows.

    Twins that were withdrawn or revised are left out, and of the open cases those with less
    *doubt*, in percent; reports and appeals are always in doubt.
    """
    cases = Case.objects.in_campaign(campaign).active()
    cases_in_order = in_state(cases, state, doubt=doubt).by_rank()
    return cases_in_order.select_related("question__twin", "question__verdict__decided_by")


def in_state(cases: CaseQuerySet, state: str, *, doubt: int = DOUBT) -> CaseQuerySet:
    """Return the *cases* in *state*, one of ``STATES``; open ones with at least *doubt* percent."""
    if state == OPEN:
        # Rank 0 is below every threshold: nothing is contested, or a vote is still missing.
        least = max(1, 10 * doubt) << KEY_BITS
        return cases.filter(closed_at=None, returned=False, place__gte=least)
    if state == RETURNED:
        return cases.filter(returned=True)
    return cases.filter(closed_at__isnull=False) if state == CLOSED else cases


@dataclass(frozen=True, slots=True)
class Waiting:
    """Open appeals, and open cases of one campaign, each counted up to ``COUNTED + 1``."""

    appeals: int
    in_review: int = 0


def waiting(user: User, campaign: Campaign | None) -> Waiting:
    """Count the open appeals that *user* may answer and a campaign's open cases, in one query."""
    appeals = appeals_for(user, Right.DECIDE).filter(status=Appeal.Status.OPEN)
    if campaign is None:
        return Waiting(appeals[: COUNTED + 1].count())
    here = Campaign.objects.filter(pk=campaign.pk)
    return Waiting(*here.values_list(_limited_count(appeals), _n_open_cases()).get())


def n_waiting(campaigns: Sequence[Campaign]) -> dict[int, int]:
    """Count each campaign's open cases, up to ``COUNTED + 1``; zeros are left out."""
    these = Campaign.objects.filter(pk__in=[campaign.pk for campaign in campaigns])
    return {pk: n for pk, n in these.values_list("pk", _n_open_cases()) if n}


def _n_open_cases() -> Func:
    cases = Case.objects.filter(campaign=OuterRef("pk")).active()
    return _limited_count(in_state(cases, OPEN).by_rank())


def _limited_count(rows: QuerySet[Any, Any]) -> Func:
    """Count *rows* up to a limit: every page for curators shows the count."""
    first = ArraySubquery(rows.values("pk")[: COUNTED + 1])
    return Func(first, function="cardinality", output_field=IntegerField())


@dataclass(frozen=True, slots=True)
class Position:
    """Where a case is in a list of cases: its number from 1 (None if it is not in it), of how many,
    and its neighbours."""

    number: int | None
    total: int
    previous: Case | None
    following: Case | None


def position_in(cases: QuerySet[Case], case: Case | None) -> Position:
    """Return the position of *case* in *cases*, which are in queue order."""
    if case is None:
        return Position(None, cases.count(), None, cases.first())
    counted = cases.aggregate(
        total=Count("pk"),
        before=Count("pk", filter=Q(place__gt=case.place)),
        itself=Count("pk", filter=Q(pk=case.pk)),
    )
    return Position(
        number=counted["before"] + 1 if counted["itself"] else None,
        total=counted["total"],
        previous=cases.filter(place__gt=case.place).order_by("place").first(),
        following=next_case(cases, after=case),
    )


def next_case(cases: QuerySet[Case], *, after: Case) -> Case | None:
    """Return the first of *cases* after *after*, in queue order."""
    return cases.filter(place__lt=after.place).first()


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A row of the review queue; ``posterior``: how likely the author's answer is right."""

    case: Case
    posterior: float | None
    appeals: bool
    """Whether its author's appeal is open."""


def queue_rows(cases: Sequence[Case], *, report: QualityReport | None) -> list[CaseRow]:
    """Return a page of cases with posteriors, in the order given.

    Posteriors use the campaign's last quality *report*; without one there are none.
    """
    by_question = advice([case.question for case in cases], report=report) if report else {}
    units = {case.question.public_id for case in cases}
    appeals = Appeal.objects.open().filter(subject=Appeal.Subject.QUESTION, unit__in=units)
    waiting = set(appeals.values_list("unit", flat=True))
    shares = {question: row.posterior for question, row in by_question.items()}
    return [
        CaseRow(case, shares.get(case.question_id), case.question.public_id in waiting)
        for case in cases
    ]
