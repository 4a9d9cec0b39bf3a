"""One validator's work, human performance, and the stored report."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

import numpy as np
from django.db.models import F, QuerySet
from django.utils import timezone

from collection.models import Campaign, Question
from stats.intervals import Estimate, wilson
from stats.tables import codes
from validation.core.accuracy import worker_accuracies
from validation.core.human import Human
from validation.core.outliers import group_medians
from validation.core.quality import Outcomes, outcomes
from validation.core.validator_figures import first_days
from validation.core.votes import Votes, step_seconds
from validation.models import QualityReport, ValidatorFigures
from validation.selectors.quality.columns import votes_by, votes_of, votes_on
from workers.models import User


@dataclass(frozen=True, slots=True)
class Month:
    """A validator's agreement with authors and median speed in one month (UTC).

    ``n_timed`` counts the votes whose times were recorded.
    """

    begins: str
    author: Estimate
    seconds: float | None
    n_timed: int


def months_of(worker: int, reader: User) -> list[Month]:
    """Return a validator's months with counted votes in the reader's campaigns, oldest first."""
    every = votes_by(worker, reader)
    counts = ~every.gold & ~every.excluded
    votes = every.where(counts)
    if not len(votes):
        return []
    first, second = step_seconds(every)
    months, names = codes(first_days(votes.at, "month"))
    right = worker_accuracies(months, votes.right)
    seconds = (first + second)[counts]
    medians = group_medians(months, seconds, n_groups=len(names))
    n_timed = np.bincount(months[~np.isnan(seconds)], minlength=len(names))
    return [
        Month(
            str(name),
            wilson(int(right.n_right[k]), int(right.n[k])),
            None if np.isnan(medians[k]) else float(medians[k]),
            int(n_timed[k]),
        )
        for k, name in enumerate(names)
    ]


Kind = Literal["counted", "gold"]


def human_performance(
    campaign: Campaign,
    *,
    domain: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    kind: Kind = "counted",
    questions: Collection[str] | None = None,
) -> Human:
    """Return majority-of-three and single accuracy on the questions that match.

    Parameters
    ----------
    domain
        One of ``Twin.Domain``; all by default.
    since, until
        Range of the time of a question's third vote: from, and before.
    kind
        ``counted``: votes that count for verdicts. ``gold``: answers to gold questions.
    questions
        Public ids: only these, and ``n_short`` refers to these. Do not select valid questions:
        their verdict requires that most votes are right.
    """
    keys = None if questions is None else _keys(campaign, questions, domain=domain)
    votes = votes_of(campaign, domain=domain) if keys is None else votes_on(keys)
    results = outcomes(_of_kind(votes, kind))
    fits = _in_time(results, since, until)
    human = results.of(fits).human()
    if keys is None:
        return human
    return replace(human, n_short=len(keys) - int(np.isin(results.question, keys).sum()))


def unknown_questions(campaign: Campaign, questions: Collection[str]) -> list[str]:
    """Return those of *questions* that are not public ids of the campaign's questions, sorted."""
    mine = Question.objects.filter(twin__campaign=campaign, public_id__in=set(questions))
    return sorted(set(questions) - set(mine.values_list("public_id", flat=True)))


def _keys(campaign: Campaign, questions: Collection[str], *, domain: str = "") -> list[int]:
    rows = Question.objects.filter(twin__campaign=campaign, public_id__in=set(questions))
    if domain:
        rows = rows.filter(twin__domain=domain)
    return list(rows.values_list("pk", flat=True))


def _of_kind(votes: Votes, kind: Kind) -> Votes:
    return votes.where(~votes.excluded & (votes.gold if kind == "gold" else ~votes.gold))


def _in_time(
    results: Outcomes, since: datetime | None, until: datetime | None
) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    fits = np.ones(len(results.question), dtype=bool)
    if since is not None:
        fits &= results.at >= since.timestamp()
    if until is not None:
        fits &= results.at < until.timestamp()
    return fits


# A report is kept a hundred times as long as it took: computing it uses 1 % of a core at most.
KEPT_TIMES, LONGEST = 100, timedelta(minutes=30)

SORTS = {
    "votes": F("n_votes").desc(),
    "author": F("author_low").asc(nulls_last=True),
    "others": F("others_low").asc(nulls_last=True),
    "gold": F("gold_low").asc(nulls_last=True),
    "skill": F("skill").asc(nulls_last=True),
    "speed": F("seconds").asc(nulls_last=True),
    "fast": F("n_fast").desc(),
    "excluded": F("n_excluded").desc(),
}
"""Orders of a list of validators; those that need a curator's attention come first."""


def stored_report(campaign: Campaign) -> QualityReport | None:
    return QualityReport.objects.filter(campaign=campaign).first()


def is_fresh(report: QualityReport) -> bool:
    """Return whether *report* is recent enough to be shown, and has all figures."""
    if "overpaid" not in report.figures.get("progress", {}):  # computed by an earlier version
        return False
    longest = min(timedelta(seconds=KEPT_TIMES * report.seconds), LONGEST)
    return timezone.now() - report.created_at < longest


def validator_lines(campaign: Campaign, *, sort: str = "votes") -> QuerySet[ValidatorFigures]:
    """Return the validators of a campaign's report, with accounts; the newest first in ties."""
    lines = ValidatorFigures.objects.filter(report=campaign.pk).select_related("worker")
    return lines.order_by(SORTS.get(sort, SORTS["votes"]), "-worker")
