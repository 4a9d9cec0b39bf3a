"""The quality of a campaign's votes, computed from their columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stats.agreement import Agreement, agreement
from stats.people import People
from stats.rated_items import LabelledVotes
from stats.tables import Ints, codes, label_counts
from validation.core.accuracy import gini
from validation.core.human import VOTES, Human, first_votes, human_performance
from validation.core.outliers import FEWEST as FEWEST_TIMES
from validation.core.outliers import far, fast_votes
from validation.core.posteriors import Aggregate, Model
from validation.core.validator_figures import Period, Validators, first_days, fit, validators
from validation.core.votes import Flags, Floats, Votes, step_seconds


@dataclass(frozen=True, slots=True)
class Stretch:
    """Human performance on the questions that got their third vote in one week or month."""

    begins: str
    human: Human


@dataclass(frozen=True, slots=True)
class Speed:
    """Median seconds of the steps of a vote.

    Parameters
    ----------
    local, sentence, whole : float or None
        Of the first step, the second, and both.
    n : int
        Votes whose times were recorded.
    n_fast : int
        Votes far faster than the others.
    far : float or None
        Robust standard deviations below the median of the logarithms from which a vote is far
        faster; None for fewer than three votes.
    """

    local: float | None
    sentence: float | None
    whole: float | None
    n: int
    n_fast: int
    far: float | None


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality figures of a campaign's votes.

    Parameters
    ----------
    n_votes, n_questions, n_workers : int
        Counted votes, and their distinct questions and validators.
    n_gold, n_excluded : int
    answer, ambiguity, local : Agreement
        On each question's first votes, those that were due: on the option, on whether both are
        plausible, and on the answer from the local context (either option, or "cannot tell").
    human : Human
    domains : dict of int to Human
    weeks, months : list of Stretch
    speed : Speed
    load : float or None
        Gini coefficient of the votes over the validators.
    model : Model or None
        The model of the posteriors, chosen by held-out votes.
    class_shares : tuple of float
        Dawid–Skene's probability that an author is wrong, and right.
    random_share : float
        The chosen model's share of questions voted on at random.
    usual_skill : float
        The probability that a validator of whom nothing is known chooses the right option.
    """

    n_votes: int
    n_questions: int
    n_workers: int
    n_gold: int
    n_excluded: int
    answer: Agreement
    ambiguity: Agreement
    local: Agreement
    human: Human
    domains: dict[int, Human]
    weeks: list[Stretch]
    months: list[Stretch]
    speed: Speed
    load: float | None
    model: Model | None
    class_shares: tuple[float, float] | None
    random_share: float | None
    usual_skill: float | None


def quality(votes: Votes) -> tuple[Quality, Validators]:
    """Compute the quality figures of all votes of a campaign.

    Parameters
    ----------
    votes : Votes
        Additional votes are requested because the first ones differ, so agreement uses only those
        that were due.

    Returns
    -------
    tuple of Quality and Validators
    """
    counted = votes.counting()
    learnt = fit(counted)
    outcome = outcomes(counted)
    people = validators(votes, learnt=learnt)
    first = counted.where(first_votes(counted.question_codes(), counted.at, n=counted.due))
    quality_of_votes = Quality(
        n_votes=len(counted),
        n_questions=len(np.unique(counted.question)),
        n_workers=int((people.n_votes > 0).sum()),
        n_gold=int(votes.gold.sum()),
        n_excluded=int(votes.excluded.sum()),
        answer=_agreement(first, first.option - 1, mirror=(1, 0)),
        ambiguity=_agreement(first, first.ambiguous.astype(np.int64)),
        local=_agreement(first, first.local, mirror=(0, 2, 1)),
        human=outcome.human(),
        domains={int(d): outcome.of(outcome.domain == d).human() for d in np.unique(votes.domain)},
        weeks=outcome.over_time("week"),
        months=outcome.over_time("month"),
        speed=_speed(votes),
        load=gini(people.n_votes[people.n_votes > 0]),
        model=learnt.chosen if learnt else None,
        class_shares=_class_shares(learnt),
        random_share=learnt.best.shares.random if learnt else None,
        usual_skill=learnt.best.usual if learnt else None,
    )
    return quality_of_votes, people


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The outcome of each question's first three votes.

    Parameters
    ----------
    question, twin, domain : int (n,)
    right : bool (n, 3)
        Whether each vote is right.
    worker : int (n, 3)
        Who cast it.
    at : float (n,)
        The time of the third vote.
    n_short : int
        Questions with fewer than three votes, which are not in the arrays.
    """

    question: Ints
    twin: Ints
    domain: Ints
    right: Flags
    worker: Ints
    at: Floats
    n_short: int

    def of(self, mask: np.ndarray) -> Outcomes:
        """Return the questions for which *mask* is true; ``n_short`` is then unknown."""
        return Outcomes(
            self.question[mask], self.twin[mask], self.domain[mask], self.right[mask],
            self.worker[mask], self.at[mask], n_short=0,
        )  # fmt: skip

    def human(self) -> Human:
        """Return human performance on these questions."""
        return human_performance(self.right, self.worker, self.twin, n_short=self.n_short)

    def over_time(self, period: Period) -> list[Stretch]:
        """Return human performance by week or month, oldest first."""
        days = first_days(self.at, period)
        return [Stretch(str(day), self.of(days == day).human()) for day in np.unique(days)]


def outcomes(votes: Votes) -> Outcomes:
    """Return the outcome of the first three votes of each question.

    Parameters
    ----------
    votes : Votes
        The votes to count.
    """
    numbers, names = codes(votes.question)
    enough = np.bincount(numbers, minlength=len(names)) >= VOTES
    chosen = np.flatnonzero(first_votes(numbers, votes.at) & enough[numbers])
    first = votes.where(chosen[np.argsort(numbers[chosen], kind="stable")])
    shape = (-1, VOTES)
    return Outcomes(
        question=first.question[::VOTES],
        twin=first.twin[::VOTES],
        domain=first.domain[::VOTES],
        right=first.right.reshape(shape),
        worker=first.worker.reshape(shape),
        at=first.at.reshape(shape).max(axis=1),
        n_short=int((~enough).sum()),
    )


def _agreement(votes: Votes, labels: Ints, *, mirror: tuple[int, ...] | None = None) -> Agreement:
    """Return the agreement on one part of the votes; twins are groups."""
    question, names = codes(votes.question)
    twins = np.zeros(len(names), dtype=np.int64)
    twins[question] = votes.twin
    return agreement(
        label_counts(
            question, labels, n_items=len(names), n_labels=3 if mirror == (0, 2, 1) else 2
        ),
        groups=twins,
        mirror=mirror,
        votes=LabelledVotes(People(question, votes.worker), labels),
    )


def _speed(votes: Votes) -> Speed:
    first, second = step_seconds(votes)
    whole = first + second
    n = int((~np.isnan(second)).sum())
    return Speed(
        local=_median(first),
        sentence=_median(second),
        whole=_median(whole),
        n=n,
        n_fast=int(fast_votes(second).sum()),
        far=far(n) if n >= FEWEST_TIMES else None,
    )


def _class_shares(learnt: Aggregate | None) -> tuple[float, float] | None:
    if learnt is None:
        return None
    wrong, right = learnt.fits[Model.DAWID_SKENE].shares.classes.tolist()
    return wrong, right


def _median(values: Floats) -> float | None:
    numbers = values[~np.isnan(values)]
    return float(np.median(numbers)) if len(numbers) else None
