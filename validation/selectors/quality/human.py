"""Human performance on any set of a campaign's questions."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Literal

import numpy as np

from collection.models import Campaign, Question
from validation.core.human import Human
from validation.core.quality import Outcomes, outcomes
from validation.core.votes import Votes
from validation.selectors.quality.columns import votes_of, votes_on

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
    asked = None if questions is None else _keys(campaign, questions, domain=domain)
    votes = votes_of(campaign, domain=domain) if asked is None else votes_on(asked)
    found = outcomes(_of_kind(votes, kind))
    fits = _in_time(found, since, until)
    human = found.of(fits).human()
    if asked is None:
        return human
    return replace(human, n_short=len(asked) - int(np.isin(found.question, asked).sum()))


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
    found: Outcomes, since: datetime | None, until: datetime | None
) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    fits = np.ones(len(found.question), dtype=bool)
    if since is not None:
        fits &= found.at >= since.timestamp()
    if until is not None:
        fits &= found.at < until.timestamp()
    return fits
