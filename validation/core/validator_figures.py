"""Figures of validators, by week and month."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.binomial import fewer_p, fewer_than_rest_p
from stats.corrections import holm
from stats.tables import Ints, codes
from validation.core.accuracy import Accuracies, with_the_others, worker_accuracies
from validation.core.human import first_votes
from validation.core.outliers import (
    LEVEL,
    far,
    fast_votes,
    group_medians,
    log_seconds,
    median_errors,
    robust_z,
)
from validation.core.posteriors import Aggregate, Model, aggregate
from validation.core.votes import Floats, Votes, step_seconds

DAY = 86_400
THURSDAY_TO_MONDAY = 3  # 1970 began on a Thursday

Period = Literal["week", "month"]


def first_days(moments: ArrayLike, period: Period) -> NDArray[np.datetime64]:
    """Return the first day of the week (a Monday) or month of each point in time.

    Parameters
    ----------
    moments : float (n,)
        Seconds since 1970, UTC.
    period : {'week', 'month'}

    Returns
    -------
    datetime64[D] (n,)

    Raises
    ------
    ValueError
        For any other period.

    Examples
    --------
    >>> first_days([1_767_225_600.0], "week").astype(str).tolist()  # Thursday 1 January 2026
    ['2025-12-29']
    >>> first_days([1_769_900_000.0], "month").astype(str).tolist()
    ['2026-01-01']
    """
    days = np.floor(np.asarray(moments, dtype=float) / DAY).astype(np.int64)
    if period == "week":
        days = days - (days + THURSDAY_TO_MONDAY) % 7
        return days.astype("datetime64[D]")
    if period == "month":
        return days.astype("datetime64[D]").astype("datetime64[M]").astype("datetime64[D]")
    raise ValueError(f"period must be 'week' or 'month', got {period!r}")


ENOUGH = 10  # votes needed before a validator is compared with the others


class Flag(StrEnum):
    FAST = "fast"
    SLOW = "slow"
    APART = "apart"
    GOLD = "gold"


FLAGS = {
    Flag.FAST: "Far faster than the other validators.",
    Flag.SLOW: "Far slower than the other validators.",
    Flag.APART: "Agrees with the other validators less often than they do among themselves.",
    Flag.GOLD: "Answers fewer gold questions correctly than the campaign requires.",
}


@dataclass(frozen=True, slots=True)
class Validators:
    """Figures of k validators, as columns.

    Parameters
    ----------
    workers : int (k,)
        As in the votes, sorted.
    n_votes : int (k,)
        Counted votes: neither answers to gold questions nor excluded votes.
    author, others, gold : Accuracies
        Against the author's answer, the majority of the question's other first votes, and the
        answers of gold questions.
    skills : float (k,)
        One-coin's skills; nan for a validator without counted votes.
    confirms, contradicts : float (k,)
        Dawid–Skene's probabilities of agreeing with an author who is right, and of disagreeing
        with one who is wrong; nan as above.
    n_excluded, n_reported, n_ambiguous : int (k,)
    seconds, sentence_seconds : float (k,)
        Medians of a complete vote and of its second step; nan where no time was recorded.
    speed : float (k,)
        Robust z of the log of ``sentence_seconds``, with its standard error; nan for validators
        with too few votes.
    n_fast : int (k,)
        Votes that are fast outliers among all votes.
    """

    workers: Ints
    n_votes: Ints
    author: Accuracies
    others: Accuracies
    gold: Accuracies
    skills: Floats
    confirms: Floats
    contradicts: Floats
    n_excluded: Ints
    n_reported: Ints
    n_ambiguous: Ints
    seconds: Floats
    sentence_seconds: Floats
    speed: Floats
    n_fast: Ints

    def flags(self, *, gold_pass_share: float) -> list[list[Flag]]:
        """Return for each validator what a curator should look at; flags are hints, not verdicts.

        There are three families of flags: speed, agreement and gold questions. Each is corrected
        for the number of validators: if no validator differs from the others, or none is below the
        share that the campaign requires, any flag of the family is set with probability `LEVEL`.
        """
        limit = far(int((~np.isnan(self.speed)).sum()))
        others, gold = self.others, self.gold
        fewer = np.where(others.n >= ENOUGH, fewer_than_rest_p(others.n_right, others.n), np.nan)
        below = np.where(gold.n > 0, fewer_p(gold.n_right, gold.n, share=gold_pass_share), np.nan)
        with np.errstate(invalid="ignore"):
            flags = {
                Flag.FAST: self.speed <= -limit,
                Flag.SLOW: self.speed >= limit,
                Flag.APART: _holds(fewer),
                Flag.GOLD: _holds(below),
            }
        return [[flag for flag, is_so in flags.items() if is_so[k]] for k in range(len(self.speed))]


def _holds(p: Floats) -> NDArray[np.bool_]:
    """Return which p-values are at most `LEVEL`, corrected for the number of those known."""
    holds, known = np.zeros(len(p), dtype=bool), ~np.isnan(p)
    holds[known] = holm(p[known]) <= LEVEL
    return holds


def fit(votes: Votes) -> Aggregate | None:
    """Fit all models to counted votes; None if there are none.

    The second class is "the author is right": so the class shares give how often authors are right,
    and a posterior is the probability that the author of one question is.
    """
    if not len(votes):
        return None
    return aggregate(votes.question_codes(), codes(votes.worker)[0], votes.right.astype(np.int64))


def validators(votes: Votes, *, learnt: Aggregate | None = None) -> Validators:
    """Compute the figures of every validator.

    Parameters
    ----------
    votes : Votes
        All votes of a campaign, including gold answers and excluded votes. Additional votes are
        requested where validators differ, so a validator who cast many of them would seem to agree
        less often: agreement with the others leaves them out.
    learnt : Aggregate, optional
        The result of ``fit`` on the counted votes; computed here by default.

    Returns
    -------
    Validators
    """
    numbers, names = codes(votes.worker)
    k, counts = len(names), ~votes.gold & ~votes.excluded
    counted, whose = votes.where(counts), numbers[counts]
    early = first_votes(counted.question_codes(), counted.at, n=counted.due)
    first_ones, theirs = counted.where(early), whose[early]
    agrees, says = with_the_others(first_ones.question_codes(), first_ones.option - 1)
    first, second = step_seconds(votes)
    speeds = log_seconds(second)
    n_timed = _tally(numbers[~np.isnan(second)], k)
    medians = group_medians(numbers, speeds, n_groups=k)
    on_gold = votes.gold & ~votes.excluded
    learnt = learnt or fit(counted)
    skills, confirms, contradicts = _skills(learnt, whose, k)
    return Validators(
        workers=names.astype(np.int64),
        n_votes=_tally(whose, k),
        author=worker_accuracies(whose, counted.right, n_workers=k),
        others=worker_accuracies(theirs[says], agrees[says], n_workers=k),
        gold=worker_accuracies(numbers[on_gold], votes.right_on_gold[on_gold], n_workers=k),
        skills=skills,
        confirms=confirms,
        contradicts=contradicts,
        n_excluded=_tally(numbers[votes.excluded], k),
        n_reported=_tally(numbers[votes.reported], k),
        n_ambiguous=_tally(whose[counted.ambiguous], k),
        seconds=group_medians(numbers, first + second, n_groups=k),
        sentence_seconds=np.exp(medians),
        speed=robust_z(
            np.where(n_timed >= ENOUGH, medians, np.nan), median_errors(numbers, speeds, medians)
        ),
        n_fast=_tally(numbers[fast_votes(second)], k),
    )


def _tally(numbers: Ints, k: int) -> Ints:
    return np.bincount(numbers, minlength=k).astype(np.int64, copy=False)


def _skills(learnt: Aggregate | None, whose: Ints, k: int) -> Floats:
    """Return skills and the probabilities of confirming and contradicting: (3, k)."""
    skills = np.full((3, k), np.nan)
    if learnt is not None:
        tables = learnt.fits[Model.DAWID_SKENE].tables
        coins = learnt.fits[Model.ONE_COIN].skills
        skills[:, np.unique(whose)] = coins, tables[:, 1, 1], tables[:, 0, 0]
    return skills
