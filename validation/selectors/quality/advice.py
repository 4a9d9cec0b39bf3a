"""How likely the author is right, from weighted votes: advice beside the majority."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from collection.models import Question
from stats.tables import codes, label_counts
from validation.core.posteriors import ONE_COIN_RIGHT
from validation.core.votes import Floats
from validation.core.weighing import dawid_skene_given, posteriors_given
from validation.models import QualityReport, ValidatorFigures, Vote

# Before a campaign's first report nothing is known about authors or validators.
EVEN = (0.5, 0.5)
USUAL = (ONE_COIN_RIGHT, ONE_COIN_RIGHT, ONE_COIN_RIGHT, 0)
TABLE_VOTES = 20
"""Votes of a validator needed to show Dawid–Skene: it estimates two separate rows."""


@dataclass(frozen=True, slots=True)
class Advice:
    """How likely the author of one question is right, from its counted votes.

    Parameters
    ----------
    n_right, n_votes : int
        Votes for the author's answer, and all votes.
    one_coin : float in (0, 1)
        Probability that the author is right, by one-coin.
    dawid_skene : float in (0, 1), optional
        The same by Dawid–Skene; None if the report has fewer than ``TABLE_VOTES`` votes of a
        validator, as it is overconfident there.
    """

    n_right: int
    n_votes: int
    one_coin: float
    dawid_skene: float | None

    @property
    def majority(self) -> float:
        """1 if most votes agree with the author, 0 if most do not, ½ for a tie."""
        twice = 2 * self.n_right
        return ((twice > self.n_votes) + (twice >= self.n_votes)) / 2


def advice(questions: Iterable[Question], *, report: QualityReport | None) -> dict[int, Advice]:
    """Return the advice for each question of one campaign, by majority and both models.

    Validators' skills and the share of right authors come from the campaign's last *report*; the
    votes are those that count now. So two small queries are enough for any size of campaign, and a
    new vote has an effect at once. A validator who is not in the report gets the prior's skill; a
    question without votes is left out.
    """
    votes = Vote.objects.counted().filter(question__in=list(questions)).select_related("question")
    return advice_of(votes.order_by("pk"), report=report)


def advice_of(votes: Iterable[Vote], *, report: QualityReport | None) -> dict[int, Advice]:
    """As ``advice``, for votes already loaded with their questions; one query."""
    given = [
        (vote.question_id, vote.worker_id, vote.option == vote.question.answer) for vote in votes
    ]
    if not given:
        return {}
    questions, workers, agrees = zip(*given, strict=True)
    skills, confirms, contradicts, behind = _known(report, workers)
    tables = np.array([[contradicts, 1 - contradicts], [1 - confirms, confirms]])
    items, names = codes(questions)
    said = np.array(agrees, dtype=np.int64)
    shares = _class_shares(report)
    coins = posteriors_given(items, skills, said, class_shares=shares[0])
    both = dawid_skene_given(items, tables.transpose(2, 0, 1), said, class_shares=shares[1])
    counts = label_counts(items, said, n_labels=2)
    unsure = set(items[behind < TABLE_VOTES].tolist())
    columns = (counts[:, 1], counts.sum(axis=1), coins[:, 1], both[:, 1])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {
        int(names[k]): Advice(right, n, coin, None if k in unsure else table)
        for k, (right, n, coin, table) in enumerate(rows)
    }


def _known(report: QualityReport | None, workers: Sequence[int]) -> Floats:
    """Return skill, confirms, contradicts and counted votes of each validator: (4, n_votes).

    A report of an older version has only the skill.
    """
    lines = ValidatorFigures.objects.filter(report=report, worker__in=set(workers))
    rows = lines.exclude(skill=None).values_list(
        "worker", "n_votes", "skill", "confirms", "contradicts"
    )
    known = {
        worker: (skill, *(skill if chance is None else chance for chance in table), n_votes)
        for worker, n_votes, skill, *table in (rows if report else ())
    }
    return np.array([known.get(worker, USUAL) for worker in workers], dtype=np.float64).T


def _class_shares(report: QualityReport | None) -> tuple[Sequence[float], Sequence[float]]:
    known = report.figures if report else {}
    return known.get("class_shares") or EVEN, known.get("dawid_skene_shares") or EVEN
