"""How likely the author is right, going by the judges: advice beside the majority."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from collection.models import Question
from validation.core.posteriors import ONE_COIN_RIGHT, dawid_skene_given, posteriors_given
from validation.core.tables import codes, label_counts
from validation.core.votes import Floats
from validation.models import JudgeFigures, QualityReport, Vote

# Before a campaign's first report nothing is known of authors or judges.
EVEN = (0.5, 0.5)
USUAL = (ONE_COIN_RIGHT, ONE_COIN_RIGHT, ONE_COIN_RIGHT)


@dataclass(frozen=True, slots=True)
class Advice:
    """What the counted votes of one question say of its author's answer.

    Parameters
    ----------
    n_right, n_votes : int
        Votes for the author's answer, of how many.
    one_coin, dawid_skene : float in (0, 1)
        How likely the author is right, by either model.
    """

    n_right: int
    n_votes: int
    one_coin: float
    dawid_skene: float

    @property
    def majority(self) -> float:
        """1 where most votes are for the author's answer, 0 where most are not, ½ for a tie."""
        twice = 2 * self.n_right
        return ((twice > self.n_votes) + (twice >= self.n_votes)) / 2


def advice(questions: Iterable[Question]) -> dict[int, Advice]:
    """Return for each question what its votes say by the majority and by both models.

    What is known of judges and the share of right authors come from the campaign's last report,
    the votes are those that count now. So two or three small queries do, whatever the campaign's
    size, and a new vote shows at once. A judge the report does not know yet is taken for one of
    the usual skill; a question without votes is left out.
    """
    keys = [question.pk for question in questions]
    found: dict[int, Advice] = {}
    by_campaign: dict[int, list[tuple[int, int, bool]]] = {}
    for question, worker, right, campaign in _votes(keys):
        by_campaign.setdefault(campaign, []).append((question, worker, right))
    for campaign, votes in by_campaign.items():
        found |= _weighed(campaign, votes)
    return found


def posteriors(questions: Iterable[Question]) -> dict[int, float]:
    """Return one-coin's part of the advice: the probability that the author's answer is right."""
    return {question: found.one_coin for question, found in advice(questions).items()}


def _votes(keys: Sequence[int]) -> list[tuple[int, int, bool, int]]:
    votes = Vote.objects.counted().filter(question__in=keys).order_by("pk")
    columns = votes.values_list(
        "question", "worker", "option", "question__answer", "seat__campaign"
    )
    return [(q, worker, option == answer, c) for q, worker, option, answer, c in columns]


def _weighed(campaign: int, votes: Sequence[tuple[int, int, bool]]) -> dict[int, Advice]:
    questions, workers, right = zip(*votes, strict=True)
    skills, confirms, contradicts = _known(campaign, workers)
    tables = np.array([[contradicts, 1 - contradicts], [1 - confirms, confirms]])
    items, names = codes(questions)
    said = np.array(right, dtype=np.int64)
    shares = _class_shares(campaign)
    coins = posteriors_given(items, skills, said, class_shares=shares[0])
    both = dawid_skene_given(items, tables.transpose(2, 0, 1), said, class_shares=shares[1])
    counts = label_counts(items, said, n_labels=2)
    columns = (counts[:, 1], counts.sum(axis=1), coins[:, 1], both[:, 1])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {int(name): Advice(*row) for name, row in zip(names, rows, strict=True)}


def _known(campaign: int, workers: Sequence[int]) -> Floats:
    """Skill, confirming and contradicting of the judge of each vote: (3, n_votes).

    A report of an older version knows the skill alone.
    """
    lines = JudgeFigures.objects.filter(report=campaign, worker__in=set(workers))
    rows = lines.exclude(skill=None).values_list("worker", "skill", "confirms", "contradicts")
    known = {
        worker: (skill, *(skill if chance is None else chance for chance in table))
        for worker, skill, *table in rows
    }
    return np.array([known.get(worker, USUAL) for worker in workers], dtype=np.float64).T


def _class_shares(campaign: int) -> tuple[Sequence[float], Sequence[float]]:
    figures = QualityReport.objects.filter(pk=campaign).values_list("figures", flat=True).first()
    known = figures or {}
    return known.get("class_shares") or EVEN, known.get("dawid_skene_shares") or EVEN
