"""Which questions are in the review queue, and why."""

from typing import Any

from django.db.models.functions import Coalesce

from collection.models import Question
from validation.core.ranks import case_rank
from validation.models import Case, PassedSeat, Verdict, VerdictEvent, VisitorReport, Vote
from validation.services.validating import statements


def note(*, question: Question, **changes: Any) -> None:
    """Rank *question*, whose row is locked, after *changes* to its case; see ``review``."""
    verdict = Verdict.objects.filter(question=question).first()
    counts, valid = (verdict.counts, verdict.valid) if verdict else (None, False)
    review(question=question, counts=counts, valid=valid, **changes)


def review(
    *, question: Question, counts: dict[str, int] | None, valid: bool, **changes: Any
) -> None:
    """Add *question*, whose row is locked, to the review queue or remove it, by its votes.

    A case that a curator has closed stays closed, unless there is a new report.

    Parameters
    ----------
    counts
        Votes for each part of the verdict; None before there is one.
    valid
        Whether the verdict is valid.
    changes
        Other fields of the case to change.
    """
    reports, has_case = statements.reports_of(question)
    case = Case.objects.filter(question=question).first() if has_case else None
    if case is None:
        twin = question.twin
        case = Case(question=question, campaign_id=twin.campaign_id, domain=twin.domain)
    if reports > case.reports:
        case.closed_at = None
    for name, value in changes.items():
        setattr(case, name, value)
    case.reports, case.reports_seen = reports, min(case.reports_seen, reports)
    case.rank = case_rank(
        counts=counts,
        reports=case.new_reports,
        appealed=case.appealed,
        suspected=case.suspected or case.flagged,
        valid=valid,
    )
    if has_case or case.rank or case.returned:
        case.save(force_insert=not has_case)


def recount(*, question: Question) -> None:
    """Recount the reports after the vote of one was excluded or restored."""
    note(question=question, reports_seen=_seen(question))


def _seen(question: Question) -> int:
    """Return how many of the counted reports existed when a curator last reviewed them."""
    looked = VerdictEvent.objects.filter(question=question, action=VerdictEvent.Action.REPORT_SEEN)
    last = looked.first()
    if last is None:
        return 0
    votes = Vote.objects.filter(question=question, excluded_at=None).exclude(report="")
    made = Coalesce("amended_at", "created_at")
    returned = PassedSeat.objects.filter(question=question).exclude(report="")
    later = returned.filter(reported_at__gt=last.created_at)
    visitors = VisitorReport.objects.filter(question=question, created_at__lte=last.created_at)
    return (
        votes.annotate(made=made).filter(made__lte=last.created_at).count()
        + returned.count()
        - later.count()
        + visitors.count()
    )
