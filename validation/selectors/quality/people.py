"""One validator's work by month."""

from dataclasses import dataclass

import numpy as np

from stats.intervals import Estimate, wilson
from stats.tables import codes
from validation.core.accuracy import worker_accuracies
from validation.core.outliers import group_medians
from validation.core.periods import first_days
from validation.core.votes import step_seconds
from validation.selectors.quality.columns import votes_by


@dataclass(frozen=True, slots=True)
class Month:
    """A validator's agreement with authors and median speed in one month (UTC).

    ``n_timed`` counts the votes whose times were recorded.
    """

    begins: str
    author: Estimate
    seconds: float | None
    n_timed: int


def months_of(worker: int) -> list[Month]:
    """Return a validator's months with counted votes, in all campaigns, oldest first."""
    every = votes_by(worker)
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
