"""One question of the review queue, with everything relevant to its verdict."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import (
    BooleanField,
    Count,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)

from collection.models import Question, Twin
from stats.intervals import Estimate, wilson
from validation.core.golds import is_right
from validation.core.revisions import revision
from validation.core.votes import first_seconds
from validation.models import (
    Appeal,
    Case,
    PassedSeat,
    QualityReport,
    Seat,
    TwinReturn,
    VerdictEvent,
    VisitorReport,
    Vote,
    is_public,
)
from validation.selectors.quality import Advice, advice_of
from workers.models import User

LOOKED_BACK = 300
"""The number of newest votes from which a validator's accuracy is computed."""
HASTY = 2
"""Seconds: nobody reads a sentence of 15 words and decides in less."""


@dataclass(frozen=True, slots=True)
class CaseVote:
    """A vote as the review queue shows it: answers, seconds, its validator's accuracy."""

    vote: Vote
    seconds: float | None
    local_seconds: float | None
    accuracy: Estimate

    @property
    def correct(self) -> bool:
        return self.vote.option == self.vote.question.answer

    @property
    def local_right(self) -> bool:
        return self.vote.local_option == self.vote.question.answer

    @property
    def is_hasty(self) -> bool:
        """Whether the sentence took less time than it takes to read."""
        return self.seconds is not None and self.seconds < HASTY


@dataclass(frozen=True, slots=True)
class CaseReport:
    """A report of a problem: with a vote, when returning the seat, or by a reader.

    Of a reader of a public release, ``worker`` is None and nobody is known.
    """

    what: str
    worker: User | None
    at: datetime | None
    was_returned: bool
    comment: str
    counts: bool

    def get_what_display(self) -> str:
        return str(VisitorReport.Kind(self.what).label)


@dataclass(frozen=True, slots=True)
class Sibling:
    """The twin's other question, which is returned for revision together with this one."""

    question: Question
    votes: list[Vote]

    @property
    def n_votes(self) -> int:
        return len(self.votes)

    @property
    def n_right(self) -> int:
        return sum(vote.option == self.question.answer for vote in self.votes)

    @property
    def n_ambiguous(self) -> int:
        return sum(vote.ambiguous for vote in self.votes)


@dataclass(frozen=True, slots=True)
class CaseDetail:
    """One question with everything relevant to its verdict."""

    question: Question
    case: Case | None
    votes: list[CaseVote]
    n_seats: int
    """Seats whose votes count, given or not."""
    waiting: int
    gold_answers: int
    gold_right: int
    advice: Advice | None
    audit_log: list[VerdictEvent]
    returned: TwinReturn | None
    appeals: list[Appeal]
    reports: list[CaseReport]
    last_returned: int
    """The key of the last seat that was returned with a report; 0 without one."""
    last_visitor: int
    """The key of a reader's last report; 0 without one."""
    sibling: Sibling | None
    newer: Question | None
    """The question with this number in the twin that revises this one."""

    @property
    def revision(self) -> str:
        """The revision shown here."""
        return revision(
            event=self.audit_log[0].pk if self.audit_log else 0,
            vote=max((vote.vote.pk for vote in self.votes), default=0),
            returned=self.last_returned,
            visitor=self.last_visitor,
        )


# A question with everything that its case detail reads.
WITH_ALL: "QuerySet[Any]" = Question.objects.select_related(
    "twin__campaign",
    "twin__author",
    "twin__returned__by",
    "twin__revised_by",
    "verdict__decided_by",
    "case",
    "gold",
).annotate(is_public=ExpressionWrapper(is_public("twin"), BooleanField()))


def case_detail(question: Question, *, report: QualityReport | None) -> CaseDetail:
    """Return everything that a curator sees of *question*, which was read from ``WITH_ALL``.

    The advice uses the campaign's last quality *report*; without one there is none.
    """
    seats = _seats(question.twin_id)
    votes = _votes(seats, question)
    votes_shown = [vote for vote in votes if not vote.is_gold]
    golds = [vote for vote in votes if vote.is_gold]
    passed = list(_returned(question))
    visitors = list(question.visitor_reports.all())
    accuracies = _accuracies({vote.worker_id for vote in votes_shown}, question)
    others = _others(question)
    return CaseDetail(
        question=question,
        case=getattr(question, "case", None),
        votes=[_case_vote(vote, accuracies[vote.worker_id]) for vote in votes_shown],
        n_seats=sum(seat.gold_id is None and seat.question_id == question.pk for seat in seats),
        waiting=sum(_waits(seat) and seat.question_id == question.pk for seat in seats),
        gold_answers=len(golds),
        gold_right=sum(is_right(v.option, question.answer, v.ambiguous) for v in golds),
        advice=_advice(votes_shown, report),
        audit_log=list(question.verdict_events.select_related("by")),
        returned=getattr(question.twin, "returned", None),
        appeals=list(
            Appeal.objects.filter(subject=Appeal.Subject.QUESTION, unit=question.public_id)
        ),
        reports=_reports(votes, passed, visitors),
        last_returned=max((row.pk for row in passed), default=0),
        last_visitor=max((row.pk for row in visitors), default=0),
        sibling=_sibling(question, others, seats),
        newer=next((each for each in others if _is_newer(each, question)), None),
    )


def _seats(twin: int) -> list[Any]:
    """Return the seats of both questions of a twin, with their votes and previous votes."""
    seats = Seat.objects.filter(twin=twin).select_related("vote__worker")
    return list(seats.annotate(before=_before()))


def _waits(seat: Seat) -> bool:
    return seat.answered_at is None and seat.gold_id is None


def _votes(seats: Sequence[Seat], question: Question) -> list[Vote]:
    """Return the votes of *question*, oldest first, each with the question set."""
    mine = (seat for seat in seats if seat.question_id == question.pk)
    votes = [seat.vote for seat in mine if hasattr(seat, "vote")]
    for vote in votes:
        vote.question = question
    return sorted(votes, key=lambda vote: vote.pk)


def _returned(question: Question) -> QuerySet[PassedSeat]:
    """Return seats that were returned with a report."""
    returned = PassedSeat.objects.filter(question=question).exclude(report="")
    return returned.select_related("worker").order_by("pk")


def _others(question: Question) -> list[Question]:
    """Return the twin's other question, and the questions of the twin that revises it."""
    newer: Twin | None = getattr(question.twin, "revised_by", None)
    twins = [question.twin_id, *([newer.pk] if newer else [])]
    others = Question.objects.filter(twin__in=twins).exclude(pk=question.pk)
    return list(others.select_related("twin", "verdict__decided_by"))


def _is_newer(other: Question, question: Question) -> bool:
    return other.twin_id != question.twin_id and other.number == question.number


def _advice(votes: Sequence[Vote], report: QualityReport | None) -> Advice | None:
    """Return the advice of the votes; None without a report."""
    counted = [vote for vote in votes if vote.excluded_at is None]
    if report is None or not counted:
        return None
    [vote_advice] = advice_of(counted, report=report).values()
    return vote_advice


def _reports(
    votes: Sequence[Vote], passed: Sequence[PassedSeat], visitors: Sequence[VisitorReport]
) -> list[CaseReport]:
    """Return every report, including those with gold answers, which are shown only here."""
    reports = [
        CaseReport(
            vote.report,
            vote.worker,
            vote.amended_at or vote.created_at,
            was_returned=False,
            comment=vote.comment,
            counts=vote.excluded_at is None,
        )
        for vote in votes
        if vote.report
    ]
    back = [
        CaseReport(each.report, each.worker, each.reported_at, True, comment="", counts=True)
        for each in passed
    ]
    read = [
        CaseReport(each.kind, None, each.created_at, False, comment=each.text, counts=True)
        for each in visitors
    ]
    return reports + back + read


def _sibling(
    question: Question, others: Sequence[Question], seats: Sequence[Seat]
) -> Sibling | None:
    other = next((each for each in others if each.twin_id == question.twin_id), None)
    if other is None:
        return None
    votes = _votes(seats, other)
    return Sibling(other, [v for v in votes if not v.is_gold and v.excluded_at is None])


def _before() -> Subquery:
    """Return when the validator of a seat had cast the previous vote in the campaign."""
    mine = Seat.objects.filter(worker=OuterRef("worker"), campaign=OuterRef("campaign"))
    earlier = mine.filter(answered_at__lt=OuterRef("answered_at")).order_by("-answered_at")
    return Subquery(earlier.values("answered_at")[:1])


def _accuracies(validators: set[int], question: Question) -> dict[int, Estimate]:
    """Return how often each validator chose the author's answer on other valid questions.

    Only their latest votes count, which an index finds: two queries, however many votes there are.
    """
    campaign = question.twin.campaign_id
    voted = Seat.objects.filter(campaign=campaign, answered_at__isnull=False)
    latest = [
        voted.filter(worker=validator)
        .order_by("-answered_at")
        .values_list("pk", flat=True)[:LOOKED_BACK]
        for validator in validators
    ]
    if not latest:
        return {}
    seats = list(latest[0].union(*latest[1:], all=True)) if len(latest) > 1 else list(latest[0])
    votes = Vote.objects.counting().filter(seat__in=seats, question__verdict__valid=True)
    right = Count("pk", filter=Q(option=F("question__answer")))
    rows = votes.exclude(question=question).order_by().values_list("worker")
    counted = {worker: (k, n) for worker, k, n in rows.annotate(k=right, n=Count("pk"))}
    return {validator: wilson(*counted.get(validator, (0, 0))) for validator in validators}


def _case_vote(vote: Any, accuracy: Estimate) -> CaseVote:
    seat = vote.seat
    began, opened, voted = seat.claimed_at, seat.local_at, seat.answered_at
    before = seat.before.timestamp() if seat.before else -math.inf
    first = (
        first_seconds(began.timestamp(), before, opened.timestamp()) if opened and began else None
    )
    return CaseVote(
        vote,
        seconds=(voted - opened).total_seconds() if voted and opened else None,
        local_seconds=None if first is None else round(float(first), 3),
        accuracy=accuracy,
    )
