"""Reads of the review queue: what lies on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Func, IntegerField, OuterRef, QuerySet

from collection.models import Campaign
from validation.models import Appeal, Case, CaseQuerySet, QualityReport
from validation.models.cases import KEY_BITS
from validation.selectors.quality import advice

OPEN, RETURNED, CLOSED, ALL = "open", "returned", "closed", "all"
STATES = (OPEN, RETURNED, CLOSED, ALL)
COUNTED = 999
"""As many of what waits are counted for the head of a page."""


def review_queue(campaign: Campaign, *, state: str = OPEN) -> QuerySet[Case]:
    """The cases of a campaign in the order of the review queue, with what a list shows of them.

    Twins that their authors have taken back or written anew are left out.
    """
    cases = Case.objects.in_campaign(campaign).active()
    found = in_state(cases, state).listed()
    return found.select_related("question__twin", "question__verdict__decided_by")


def in_state(cases: CaseQuerySet, state: str) -> CaseQuerySet:
    """Those *cases* that are in one of ``STATES``."""
    if state == OPEN:
        # A place below holds no rank: nothing is contested, or a vote is waited for.
        return cases.filter(closed_at=None, returned=False, place__gte=1 << KEY_BITS)
    if state == RETURNED:
        return cases.filter(returned=True)
    return cases.filter(closed_at__isnull=False) if state == CLOSED else cases


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for curators, each up to ``COUNTED + 1``: appeals, and cases of one campaign."""

    appeals: int
    in_review: int = 0


def waiting(campaign: Campaign | None) -> Waiting:
    """Count the open appeals and what is to look at on a campaign's desk, in one query."""
    appeals = Appeal.objects.open()
    if campaign is None:
        return Waiting(appeals[: COUNTED + 1].count())
    here = Campaign.objects.filter(pk=campaign.pk)
    return Waiting(*here.values_list(_counted(appeals), _on_desk()).get())


def n_waiting(campaigns: Sequence[Campaign]) -> dict[int, int]:
    """Count what is to look at on each desk, up to ``COUNTED + 1``; empty ones are left out."""
    these = Campaign.objects.filter(pk__in=[campaign.pk for campaign in campaigns])
    return {pk: n for pk, n in these.values_list("pk", _on_desk()) if n}


def _on_desk() -> Func:
    cases = Case.objects.filter(campaign=OuterRef("pk")).active()
    return _counted(in_state(cases, OPEN).listed())


def _counted(rows: QuerySet[Any, Any]) -> Func:
    """Count *rows*, but not a long list to its end: every page for curators would wait for that."""
    first = ArraySubquery(rows.values("pk")[: COUNTED + 1])
    return Func(first, function="cardinality", output_field=IntegerField())


def next_case(campaign: Campaign, *, after: Case | None = None) -> Case | None:
    """The case that comes after one, or the first; for a desk that is worked through in order."""
    cases = review_queue(campaign)
    if after is not None:
        return cases.filter(place__lt=after.place).first()
    return cases.first()


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A row of the review queue; ``posterior``: how likely the author's answer is right."""

    case: Case
    posterior: float | None
    appeals: bool
    """Whether its author's appeal waits for an answer."""


def queue_rows(cases: Sequence[Case], *, report: QualityReport | None) -> list[CaseRow]:
    """Give a page of cases their posteriors; of equal rank, the doubtful come first.

    The posteriors go by the campaign's last quality *report*; without one there are none.
    """
    known = advice([case.question for case in cases], report=report) if report else {}
    units = {case.question.public_id for case in cases}
    appeals = Appeal.objects.open().filter(subject=Appeal.Subject.QUESTION, unit__in=units)
    waiting = set(appeals.values_list("unit", flat=True))
    shares = {question: found.one_coin for question, found in known.items()}
    rows = [
        CaseRow(case, shares.get(case.question_id), case.question.public_id in waiting)
        for case in cases
    ]
    return sorted(rows, key=lambda row: (-row.case.rank, _doubt(row)))


def _doubt(row: CaseRow) -> float:
    return 2.0 if row.posterior is None else row.posterior
