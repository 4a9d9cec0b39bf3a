"""How likely the author is right, from weighted votes: advice beside the majority."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from collection.models import Question
from stats.tables import codes, label_counts
from validation.core.posteriors import USUAL_RIGHT, Model, one_coin_tables
from validation.core.votes import Floats
from validation.core.weighing import Shares, posteriors_given
from validation.models import QualityReport, ValidatorFigures, Vote

EVEN = (0.5, 0.5)


@dataclass(frozen=True, slots=True)
class Advice:
    """How likely the author of one question is right, from its counted votes.

    Parameters
    ----------
    n_right, n_votes : int
        Votes for the author's answer, and all votes.
    posterior : float in (0, 1)
        Probability that the author is right, by the model of the campaign's report.
    model : Model
    """

    n_right: int
    n_votes: int
    posterior: float
    model: Model

    @property
    def majority(self) -> float:
        """1 if most votes agree with the author, 0 if most do not, ½ for a tie."""
        twice = 2 * self.n_right
        return ((twice > self.n_votes) + (twice >= self.n_votes)) / 2


def advice(questions: Iterable[Question], *, report: QualityReport | None) -> dict[int, Advice]:
    """Return the advice for each question of one campaign: the majority and the posterior.

    The model, what it knows of validators and the share of right authors come from the campaign's
    last *report*; the votes are those that count now. So two small queries are enough for any size
    of campaign, and a new vote has an effect at once. A validator who is not in the report has the
    usual skill; a question without votes is left out.
    """
    votes = Vote.objects.counting().filter(question__in=list(questions)).select_related("question")
    return advice_of(votes.order_by("pk"), report=report)


def advice_of(votes: Iterable[Vote], *, report: QualityReport | None) -> dict[int, Advice]:
    """As ``advice``, for votes already loaded with their questions; one query."""
    ballots = [
        (vote.question_id, vote.worker_id, vote.option == vote.question.answer) for vote in votes
    ]
    if not ballots:
        return {}
    questions, workers, agrees = zip(*ballots, strict=True)
    figures = report.figures if report else {}
    model = Model(figures.get("model") or (Model.ONE_COIN if figures else Model.EQUAL))
    items, names = codes(questions)
    labels = np.array(agrees, dtype=np.int64)
    tables = _tables(report, model, workers)
    chances = posteriors_given(items, tables, labels, _shares(figures, model))[:, 1]
    counts = label_counts(items, labels, n_labels=2)
    columns = (counts[:, 1].tolist(), counts.sum(axis=1).tolist(), chances.tolist())
    return {
        int(names[k]): Advice(right, n, chance, model)
        for k, (right, n, chance) in enumerate(zip(*columns, strict=True))
    }


def _tables(report: QualityReport | None, model: Model, workers: Sequence[int]) -> Floats:
    """Return each vote's table of its validator: (n_votes, 2, 2), ``[truth, said]``."""
    usual = (report.figures.get("usual_skill") if report else None) or USUAL_RIGHT
    lines = ValidatorFigures.objects.filter(report=report, worker__in=set(workers))
    rows = lines.exclude(skill=None).values_list("worker", "skill", "confirms", "contradicts")
    chances_by_worker = {worker: chances for worker, *chances in (rows if report else ())}
    columns = [chances_by_worker.get(worker, (usual, usual, usual)) for worker in workers]
    skill, confirms, contradicts = np.array(columns, dtype=np.float64).T
    if model == Model.DAWID_SKENE:
        rows_of = [[contradicts, 1 - contradicts], [1 - confirms, confirms]]
        return np.array(rows_of).transpose(2, 0, 1)
    return one_coin_tables(np.full(len(workers), usual) if model == Model.EQUAL else skill)


def _shares(figures: dict[str, Any], model: Model) -> Shares:
    classes = figures.get("class_shares") if model == Model.DAWID_SKENE else None
    return Shares(np.array(classes or EVEN), figures.get("random_share") or 0.0)
