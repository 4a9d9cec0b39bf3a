"""Reads of the curators' desk: what lies on it, and one question with all that bears on it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from collection.models import Campaign, Question
from validation.core.golds import is_right
from validation.core.intervals import Estimate, wilson
from validation.core.votes import first_seconds
from validation.models import (
    Appeal,
    Case,
    CaseQuerySet,
    PassedSeat,
    QualityReport,
    Seat,
    SentBack,
    VerdictEvent,
    Vote,
)
from validation.models.cases import KEY_BITS
from validation.selectors.quality import Advice, advice
from workers.models import User

OPEN, SENT_BACK, CLOSED, ALL = "open", "sent_back", "closed", "all"
STATES = (OPEN, SENT_BACK, CLOSED, ALL)
LOOKED_BACK = 300
"""Votes of one judge that their accuracy on the desk is taken from, the newest."""


def desk(campaign: Campaign, *, state: str = OPEN) -> QuerySet[Case]:
    """The cases of a campaign in the order of the desk, with what a list shows of them.

    Twins that their authors have taken back or written anew are left out.
    """
    cases = Case.objects.in_campaign(campaign).filter(question__twin__withdrawn_at=None)
    found = in_state(cases, state).listed()
    return found.select_related("question__twin", "question__verdict__decided_by")


def in_state(cases: CaseQuerySet, state: str) -> CaseQuerySet:
    """Those *cases* that are in one of ``STATES``."""
    if state == OPEN:
        # A place below holds no rank: nothing is contested, or a vote is waited for.
        return cases.filter(closed_at=None, sent_back=False, place__gte=1 << KEY_BITS)
    if state == SENT_BACK:
        return cases.filter(sent_back=True)
    return cases.filter(closed_at__isnull=False) if state == CLOSED else cases


def n_waiting(campaigns: Sequence[Campaign]) -> dict[int, int]:
    """Count what is to look at on the desk of each campaign; those with nothing are left out."""
    cases = Case.objects.filter(campaign__in=campaigns, question__twin__withdrawn_at=None)
    waiting = in_state(cases, OPEN).order_by()
    return dict(waiting.values_list("campaign").annotate(Count("pk")))


def next_case(campaign: Campaign, *, after: Case | None = None) -> Case | None:
    """The case that comes after one, or the first; for a desk that is worked through in order."""
    cases = desk(campaign)
    if after is not None:
        return cases.filter(place__lt=after.place).first()
    return cases.first()


@dataclass(frozen=True, slots=True)
class DeskRow:
    """One line of the desk; ``posterior`` is advice: how likely the author's answer is right."""

    case: Case
    posterior: float | None
    appeals: bool
    """Whether its author's appeal waits for an answer."""


def desk_rows(cases: Sequence[Case]) -> list[DeskRow]:
    """Give a page of cases their posteriors; of equal rank, the doubtful come first."""
    known = _advice([case.question for case in cases], cases[0].campaign_id if cases else 0)
    units = {case.question.public_id for case in cases}
    appeals = Appeal.objects.open().filter(subject=Appeal.Subject.QUESTION, unit__in=units)
    waiting = set(appeals.values_list("unit", flat=True))
    shares = {question: found.one_coin for question, found in known.items()}
    rows = [
        DeskRow(case, shares.get(case.question_id), case.question.public_id in waiting)
        for case in cases
    ]
    return sorted(rows, key=lambda row: (-row.case.rank, _doubt(row)))


def _advice(questions: Sequence[Question], campaign: int) -> dict[int, Advice]:
    """What the votes say, once a report knows the campaign's judges; before, nothing."""
    known = QualityReport.objects.filter(pk=campaign).exists()
    return advice(questions) if known else {}


def _doubt(row: DeskRow) -> float:
    return 2.0 if row.posterior is None else row.posterior


@dataclass(frozen=True, slots=True)
class DeskVote:
    """A vote as the desk shows it: what was said, how long it took, how good its judge is."""

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


@dataclass(frozen=True, slots=True)
class DeskReport:
    """What a judge says is wrong with a question, with a vote or giving it back."""

    what: str
    worker: User
    at: datetime | None
    was_returned: bool
    comment: str
    counts: bool

    def get_what_display(self) -> str:
        return str(Vote.Report(self.what).label)


@dataclass(frozen=True, slots=True)
class Sibling:
    """The twin's other question, which is sent back along with this one."""

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
class Dossier:
    """One question with all that bears on its verdict."""

    question: Question
    case: Case | None
    votes: list[DeskVote]
    waiting: int
    gold_answers: int
    gold_right: int
    advice: Advice | None
    trail: list[VerdictEvent]
    sent_back: SentBack | None
    appeals: list[Appeal]
    reports: list[DeskReport]
    last_returned: int
    sibling: Sibling | None

    @property
    def revision(self) -> str:
        """What is seen here; see ``services.questions.revision_of``."""
        last_vote = max((shown.vote.pk for shown in self.votes), default=0)
        event = self.trail[0].pk if self.trail else 0
        return f"{event}.{last_vote}.{self.last_returned}"


# A question with what a dossier of it reads.
WITH_ALL = Question.objects.select_related(
    "twin__campaign",
    "twin__author",
    "twin__sent_back__by",
    "twin__revised_by",
    "verdict__decided_by",
    "case",
    "gold",
)


def dossier(question: Question) -> Dossier:
    """Read all that a curator sees of a question, which came from ``WITH_ALL``."""
    rows = Vote.objects.filter(question=question).order_by("pk")
    votes = list(rows.select_related("worker", "seat", "set_aside_by").annotate(before=_before()))
    for vote in votes:
        vote.question = question
    golds = [vote for vote in votes if vote.is_gold]
    returned = PassedSeat.objects.filter(question=question).exclude(report="")
    passed = list(returned.select_related("worker").order_by("pk"))
    accuracies = _accuracies({vote.worker_id for vote in votes if not vote.is_gold}, question)
    return Dossier(
        question=question,
        case=getattr(question, "case", None),
        votes=[_shown(vote, accuracies[vote.worker_id]) for vote in votes if not vote.is_gold],
        waiting=Seat.objects.filter(question=question, voted_at=None).numbered().count(),
        gold_answers=len(golds),
        gold_right=sum(is_right(v.option, question.answer, v.ambiguous) for v in golds),
        advice=_advice([question], question.twin.campaign_id).get(question.pk),
        trail=list(question.verdict_events.select_related("by")),
        sent_back=getattr(question.twin, "sent_back", None),
        appeals=list(
            Appeal.objects.filter(subject=Appeal.Subject.QUESTION, unit=question.public_id)
        ),
        reports=_reports(votes, passed),
        last_returned=max((each.pk for each in passed), default=0),
        sibling=_sibling(question),
    )


def _reports(votes: Sequence[Vote], passed: Sequence[PassedSeat]) -> list[DeskReport]:
    """Every report of a question, also those with answers to gold, which show nowhere else."""
    given = [
        DeskReport(
            vote.report,
            vote.worker,
            vote.amended_at or vote.created_at,
            was_returned=False,
            comment=vote.comment,
            counts=vote.set_aside_at is None,
        )
        for vote in votes
        if vote.report
    ]
    back = [
        DeskReport(each.report, each.worker, each.reported_at, True, comment="", counts=True)
        for each in passed
    ]
    return given + back


def _sibling(question: Question) -> Sibling | None:
    others = Question.objects.filter(twin=question.twin_id).exclude(pk=question.pk)
    other = others.select_related("twin", "verdict__decided_by").first()
    if other is None:
        return None
    votes = Vote.objects.counted().filter(question=other).order_by("pk")
    return Sibling(other, list(votes.select_related("worker")))


def _before() -> Subquery:
    """When the judge of a vote had given another one here, the time before."""
    mine = Seat.objects.filter(worker=OuterRef("worker"), campaign=OuterRef("seat__campaign"))
    earlier = mine.filter(voted_at__lt=OuterRef("seat__voted_at")).order_by("-voted_at")
    return Subquery(earlier.values("voted_at")[:1])


def _accuracies(judges: set[int], question: Question) -> dict[int, Estimate]:
    """How often each judge chose the author's answer of other questions that were found valid.

    Of their latest votes, which an index holds: so two queries do, however many they have given.
    """
    campaign = question.twin.campaign_id
    voted = Seat.objects.filter(campaign=campaign, voted_at__isnull=False)
    latest = [
        voted.filter(worker=judge).order_by("-voted_at").values_list("pk", flat=True)[:LOOKED_BACK]
        for judge in judges
    ]
    if not latest:
        return {}
    seats = list(latest[0].union(*latest[1:], all=True)) if len(latest) > 1 else list(latest[0])
    votes = Vote.objects.counted().filter(seat__in=seats, question__verdict__valid=True)
    right = Count("pk", filter=Q(option=F("question__answer")))
    rows = votes.exclude(question=question).order_by().values_list("worker")
    counted = {worker: (k, n) for worker, k, n in rows.annotate(k=right, n=Count("pk"))}
    return {judge: wilson(*counted.get(judge, (0, 0))) for judge in judges}


def _shown(vote: Any, accuracy: Estimate) -> DeskVote:
    seat = vote.seat
    began, opened, voted = seat.claimed_at, seat.local_at, seat.voted_at
    before = vote.before.timestamp() if vote.before else -math.inf
    first = (
        first_seconds(began.timestamp(), before, opened.timestamp()) if opened and began else None
    )
    return DeskVote(
        vote,
        seconds=(voted - opened).total_seconds() if voted and opened else None,
        local_seconds=None if first is None else round(float(first), 3),
        accuracy=accuracy,
    )
