"""Which questions lie on the review queue, and why."""

from datetime import datetime

from django.db.models.functions import Coalesce

from collection.models import Campaign, Question
from validation.core.ranks import case_rank
from validation.models import Case, PassedSeat, Verdict, VerdictEvent, Vote
from validation.services import statements


def review(
    *,
    question: Question,
    campaign: Campaign,
    counts: dict[str, int] | None,
    now: datetime,
) -> None:
    """Put *question*, whose row is locked, in the review queue or take it off, by what its votes
    say.

    What a curator has dealt with stays so, unless there is a report more than before.
    """
    reports, has_case = statements.reports_of(question)
    case = Case.objects.filter(question=question).first() if has_case else None
    case = case or _new(question, campaign, now)
    if reports > case.reports:
        case.closed_at = None
    _count(case, counts=counts, reports=reports)
    if has_case or case.rank:
        case.save(force_insert=not has_case)


def note_report(*, vote: Vote, campaign: Campaign) -> None:
    """Put a reported question in the review queue at once, also before its verdict."""
    _note(vote.question, campaign, vote.created_at)


def note_return(*, question: Question, campaign: Campaign, now: datetime) -> None:
    """As ``note_report``, where a validator has given the question back with a report."""
    _note(question, campaign, now)


def _note(question: Question, campaign: Campaign, now: datetime) -> None:
    case = Case.objects.filter(question=question).first() or _new(question, campaign, now)
    reports, _ = statements.reports_of(question)
    _count(case, counts=_counts(question), reports=reports)
    case.closed_at = None
    case.save()


def look_at_reports(*, question: Question) -> None:
    """Let the reports that there are say nothing of its place any more; the next one does."""
    case = Case.objects.get(question=question)
    case.reports_seen = case.reports
    _count(case, counts=_counts(question), reports=case.reports)
    case.save()


def recount(*, question: Question) -> None:
    """Count the reports anew, of which one was excluded with its vote, or used again."""
    case = Case.objects.filter(question=question).first()
    if case is None:
        return
    reports, _ = statements.reports_of(question)
    case.reports_seen = _seen(question)
    _count(case, counts=_counts(question), reports=reports)
    case.save()


def _seen(question: Question) -> int:
    """How many of the reports that count were there when a curator last looked at them."""
    looked = VerdictEvent.objects.filter(question=question, action=VerdictEvent.Action.REPORT_SEEN)
    last = looked.first()
    if last is None:
        return 0
    votes = Vote.objects.filter(question=question, excluded_at=None).exclude(report="")
    made = Coalesce("amended_at", "created_at")
    returned = PassedSeat.objects.filter(question=question).exclude(report="")
    later = returned.filter(reported_at__gt=last.created_at)
    return (
        votes.annotate(made=made).filter(made__lte=last.created_at).count()
        + returned.count()
        - later.count()
    )


def _counts(question: Question) -> dict[str, int] | None:
    verdict = Verdict.objects.filter(question=question).first()
    return verdict.counts if verdict else None


def _count(case: Case, *, counts: dict[str, int] | None, reports: int) -> None:
    """Rank a case by its votes, and by the reports that no curator has looked at."""
    case.reports, case.reports_seen = reports, min(case.reports_seen, reports)
    case.rank = case_rank(counts=counts, reports=case.new_reports, appealed=case.appealed)


def note_appeal(*, question: Question, campaign: Campaign, now: datetime) -> None:
    """Put a question to the top of the review queue, as its author's appeal was upheld."""
    case = Case.objects.filter(question=question).first() or _new(question, campaign, now)
    case.appealed, case.closed_at = True, None
    _count(case, counts=_counts(question), reports=case.reports)
    case.save()


def close(*, question: Question, now: datetime) -> None:
    """Take a question out of the review queue: a curator has dealt with it."""
    Case.objects.filter(question=question).update(closed_at=now, appealed=False, returned=False)


def wait(*, question: Question) -> None:
    """Let a question wait for the vote that a curator has asked for; the vote brings it back."""
    case = Case.objects.filter(question=question).first()
    if case is not None:
        case.closed_at, case.returned = None, False
        _count(case, counts=None, reports=case.reports)
        case.save()


def reopen(*, question: Question, campaign: Campaign, now: datetime) -> None:
    """Put a question back in the review queue."""
    if not Case.objects.filter(question=question).update(closed_at=None, returned=False):
        _new(question, campaign, now).save()


def return_for_revision(*, question: Question, campaign: Campaign, now: datetime) -> None:
    """Let a question wait for its author."""
    if not Case.objects.filter(question=question).update(returned=True, appealed=False):
        case = _new(question, campaign, now)
        case.returned = True
        case.save()


def _new(question: Question, campaign: Campaign, now: datetime) -> Case:
    return Case(question=question, campaign=campaign, domain=question.twin.domain, opened_at=now)
