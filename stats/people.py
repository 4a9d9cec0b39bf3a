"""Shares of people's answers, with intervals for these people and for people like them.

Questions and people are crossed: a person answers many questions, and several people answer a
question. "These people" are those who answered: only the questions are a sample. For "people like
them" the people are a sample too, of a population that nobody has listed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from stats.intervals import (
    Estimate,
    Flags,
    Floats,
    Groups,
    Z,
    clustered_share,
    clustered_variance,
    ends_with_variance,
)

Ints = NDArray[np.int64]
Ends = tuple[float | None, float | None]

FEWEST_PEOPLE = 4.5
"""People needed for the second interval, see `People.effective`: five of about equal shares.

Four give an interval of 30 points and more, which depends on the people's normality alone.
"""


@dataclass(frozen=True, slots=True)
class PeopleEstimate(Estimate):
    """A figure of people with two 95 % intervals.

    Parameters
    ----------
    low, high : float or None
        For these people: how the same people would do on other such questions.
    people_low, people_high : float or None
        For people like them: how other people of the same population would do. None if there are
        too few people, or their shares of the answers are too unequal.
    n_people : int
    """

    people_low: float | None
    people_high: float | None
    n_people: int


NO_PEOPLE = PeopleEstimate(None, None, None, 0, None, None, 0)


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Who cast which vote, as columns.

    Parameters
    ----------
    row : int (n_votes,)
        The row that each vote belongs to: a question, or the vote itself.
    person : int (n_votes,)
        Any integers.
    """

    row: Ints
    person: Ints

    @property
    def n(self) -> int:
        return len(self.loads)

    @property
    def loads(self) -> Ints:
        """Votes of each person: (n_people,)."""
        return np.unique(self.person, return_counts=True)[1].astype(np.int64)

    @property
    def effective(self) -> float:
        """The number of people with equal loads whose mean would vary as much as theirs."""
        loads = self.loads.astype(np.float64)
        return float(loads.sum() ** 2 / (loads**2).sum())

    def ends(self, share: float, variance: float, *, n: float, n_groups: float) -> Ends:
        """Return Wilson's interval of a share of their votes; None if there are too few people.

        Parameters are those of `intervals.ends_with_variance`. A variance between so few people is
        known as badly as Student's t says.
        """
        if not len(self.person) or self.effective < FEWEST_PEOPLE:
            return None, None
        widening = float(stdtrit(self.effective - 1, 0.975) / Z) ** 2
        return ends_with_variance(share, variance, n=n, n_groups=n_groups, widening=widening)


def people_share(
    values: Flags | Floats, groups: Groups, *, effects: Floats, people: People
) -> PeopleEstimate:
    """Return a share of people's answers with both 95 % intervals.

    Parameters
    ----------
    values : bool, or float in [0, 1] (n,)
        Of single votes: whether each is right. Of majorities: the credit of each question.
    groups : int (n,)
        Rows of a group have the same value, such as a twin's two questions.
    effects : float (n_votes,)
        What each vote changes: the value of its row minus the value without this vote. A single
        vote is its own row, and its effect is whether it is right.
    people : People

    Returns
    -------
    PeopleEstimate
        n counts rows. The first interval is that of `intervals.clustered_share`. The second is
        Wilson's for the variance of questions plus that of people, see `people_variance`, with
        Student's t for the effective number of people.

    Notes
    -----
    Simulated for 14, 8 and 5 people whose skill has a standard deviation of 3 to 10 points, on 100
    to 1,000 questions, the second interval covers in at least 92 % (``benchmarks/coverage.py``). It
    assumes that people differ roughly normally: where one in seven only guesses, and there are 14
    people, it covers in 88 %.

    Source: the sum of a variance over each factor is Cameron, Gelbach and Miller, Robust inference
    with multiway clustering (JBES 2011); t in Wilson's interval is Korn and Graubard, Confidence
    intervals for proportions with small expected number of positive counts estimated from survey
    data (Survey Methodology 1998).
    """
    found = clustered_share(values, groups)
    if found.value is None:
        return NO_PEOPLE
    n, n_groups = len(values), len(np.unique(groups))
    questions = clustered_variance(values - found.value, groups, n)
    between = people_variance(effects, groups[people.row], people, n=n)
    wide = people.ends(found.value, questions + between, n=n, n_groups=n_groups)
    return PeopleEstimate(found.value, found.low, found.high, n, *wide, people.n)


def single_votes(right: Flags | Floats, groups: Groups, people: Ints) -> PeopleEstimate:
    """Return the share of right votes with both intervals.

    Parameters
    ----------
    right : bool, or float in [0, 1] (n_votes,)
    groups, people : int (n_votes,)
        As in `people_share`; who cast each vote.

    Examples
    --------
    >>> votes = np.arange(30)
    >>> found = single_votes(votes % 5 > 0, votes // 3, votes % 6)
    >>> [round(x, 2) for x in (found.value, found.low, found.high, found.people_low)]
    [0.8, 0.63, 0.9, 0.57]
    """
    each = People(np.arange(len(right)), people)
    return people_share(right, groups, effects=np.asarray(right, dtype=np.float64), people=each)


def people_variance(effects: Floats, groups: Groups, people: People, *, n: int) -> float:
    """Return the variance between people of the sum of the effects of votes, over n.

    Parameters
    ----------
    effects, groups : float, int (n_votes,)
        Of each vote.
    people : People
    n : int

    Returns
    -------
    float, at least 0
        The variance of a person's mean effect, times the sum of squared numbers of votes, over n².

    Notes
    -----
    The sums of each person's effects around the mean vary by the people and by the questions. What
    the questions contribute is estimated over whole groups and subtracted; as in all estimates of
    variance components by moments, a negative rest counts as 0.

    Source: Henderson, Estimation of variance and covariance components (Biometrics 1953), method 1,
    with a variance over groups in place of an equal one for every vote.
    """
    _, person = np.unique(people.person, return_inverse=True)
    loads = np.bincount(person).astype(np.float64)
    total, squares = loads.sum(), (loads**2).sum()
    rest = effects - effects.mean()
    sums = np.bincount(person, weights=rest)
    between = squares - 2 * (loads**3).sum() / total + squares**2 / total**2
    if between <= 0:  # one person
        return 0.0
    of_questions = _of_questions(rest, groups, person, loads / total)
    variance = max(0.0, float((sums**2).sum()) - of_questions) / float(between)
    return variance * float(squares) / n**2


def _of_questions(rest: Floats, groups: Groups, person: Ints, shares: Floats) -> float:
    """Return what independent groups contribute to the sum over people of squared sums."""
    _, group = np.unique(groups, return_inverse=True)
    by_group = np.bincount(group, weights=rest)
    expected = np.bincount(group, weights=rest * shares[person])
    _, cell = np.unique(group * len(shares) + person, return_inverse=True)
    by_cell = np.bincount(cell, weights=rest)
    squared = (by_cell**2).sum() - 2 * by_group @ expected
    return float(squared + (shares @ shares) * (by_group @ by_group))
