"""Agreement of several filter runs over the same rows: on the rows kept and on the scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stats.cohen import cohen

Bools = NDArray[np.bool_]
Scores = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRanks:
    """One run's scores and their ranks, for correlation.

    Ranking takes most of the time of a comparison. It is done once per run, and repeated only for
    a comparison with a run that has scored other rows.

    Parameters
    ----------
    scores : float32 (n_rows,)
        nan where a row has none.
    rows : bool (n_rows,)
        Rows to correlate; each of them has a score.
    values, ranks : float64 (n_scored,) or None
        Scores of these rows and their ranks; ties share their mean rank. None where there are
        fewer than three rows, or all have the same score.
    """

    scores: Scores
    rows: Bools
    values: Floats | None
    ranks: Floats | None

    @classmethod
    def of(cls, scores: Scores, rows: Bools | None = None) -> ScoreRanks:
        """Rank scores (n_rows,), of some *rows* or of all that have one."""
        from scipy.stats import rankdata  # takes a second to import, and no other page needs it

        rows = ~np.isnan(scores) if rows is None else rows
        x = scores[rows].astype(np.float64)
        if len(x) < 3 or x.min() == x.max():
            return cls(scores, rows, None, None)
        return cls(scores, rows, x, rankdata(x))

    def among(self, rows: Bools) -> ScoreRanks:
        """Restrict the scores to *rows* (n_rows,)."""
        return self if np.array_equal(rows, self.rows) else ScoreRanks.of(self.scores, rows)


@dataclass(frozen=True, eq=False)  # no slots: cached properties need a __dict__
class Outcome:
    """The result of one run for every row.

    Parameters
    ----------
    kept : bool (n_rows,)
        Rows that are kept.
    first : float32 (n_rows,)
        Score in the first phase, the only one with all rows: the share of correct predictions
        over the ensemble members that held the row out; nan where none did.
    mean : float32 (n_rows,)
        Unweighted mean of a row's scores over the phases in which it was held out; nan where
        there was none. Rows that are kept are averaged over more phases than those removed early,
        and later phases predict worse: compare it with ``first``.
    """

    kept: Bools
    first: Scores
    mean: Scores

    @classmethod
    def of(cls, n_rows: int, phases: Iterable[NDArray[np.integer]]) -> Outcome:
        """Summarise a run's phases.

        Parameters
        ----------
        n_rows : int
        phases : iterable of int (4, n_before)
            For each phase in order: positions of its rows, their correct predictions, how often
            they were held out, and 1 where they were removed. A control holds no row out,
            so its rows have no scores.
        """
        is_kept = np.ones(n_rows, dtype=bool)
        first = np.full(n_rows, np.nan, dtype=np.float32)
        total, rounds = np.zeros(n_rows), np.zeros(n_rows, dtype=np.int64)
        for number, (rows, correct, held_out, removed) in enumerate(phases):
            seen = held_out > 0
            scores = correct[seen] / held_out[seen]
            total[rows[seen]] += scores
            rounds[rows[seen]] += 1
            is_kept[rows[removed == 1]] = False
            if number == 0:
                first[rows[seen]] = scores
        mean = np.where(rounds > 0, total / np.maximum(rounds, 1), np.nan)
        return cls(is_kept, first, mean.astype(np.float32))

    @cached_property
    def first_scored(self) -> ScoreRanks:
        return ScoreRanks.of(self.first)

    @cached_property
    def mean_scored(self) -> ScoreRanks:
        return ScoreRanks.of(self.mean)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Overlap of two sets of rows, and the expected overlap of two random sets of their sizes.

    Parameters
    ----------
    jaccard : float or None
        Both ÷ either; None where the divisor is 0.
    of_smaller : float or None
        Both ÷ the smaller set.
    both_by_chance, jaccard_by_chance, of_smaller_by_chance : float or None
        At the expected ``both`` of two sets drawn independently, |A|·|B| ÷ n (the mean of the
        hypergeometric distribution; a ratio at the mean, not the mean of ratios, which differs by
        less than 1 ÷ n).
    """

    both: int
    either: int
    jaccard: float | None
    of_smaller: float | None
    both_by_chance: float
    jaccard_by_chance: float | None
    of_smaller_by_chance: float | None

    @classmethod
    def of(cls, a: Bools, b: Bools) -> Overlap:
        """Compare two sets, given as masks (n_rows,).

        >>> found = Overlap.of(np.array([1, 1, 0, 0], bool), np.array([1, 0, 1, 0], bool))
        >>> (found.both, found.either, found.of_smaller, found.of_smaller_by_chance)
        (1, 3, 0.5, 0.5)
        """
        sizes = int(a.sum()), int(b.sum())
        both, smaller = int((a & b).sum()), min(sizes)
        chance = sizes[0] * sizes[1] / len(a) if len(a) else 0.0
        return cls(
            both=both,
            either=sum(sizes) - both,
            jaccard=_ratio(both, sum(sizes) - both),
            of_smaller=_ratio(both, smaller),
            both_by_chance=chance,
            jaccard_by_chance=_ratio(chance, sum(sizes) - chance),
            of_smaller_by_chance=_ratio(chance, smaller),
        )


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's and Spearman's coefficient of scores; ties share their mean rank.

    Parameters
    ----------
    pearson, spearman : float or None
        None where fewer than three rows have both scores, or all have the same one.
    n : int
        Rows with a score in both runs.
    """

    pearson: float | None
    spearman: float | None
    n: int

    @classmethod
    def of(cls, a: ScoreRanks, b: ScoreRanks) -> Correlation:
        """Correlate two runs' scores over the rows that have both."""
        both = a.rows & b.rows
        x, y = a.among(both), b.among(both)
        return cls(_r(x.values, y.values), _r(x.ranks, y.ranks), int(both.sum()))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How much two runs agree; symmetric in them.

    The figures describe these rows, which are no sample of others, so they have no interval.

    Parameters
    ----------
    same : float or None
        Share of rows with the same result.
    kappa : float or None
        Cohen's, of the filter results: 0 as expected by chance at these sizes, 1 where all are the
        same; None where chance alone makes all the same, as both runs keep all rows or none.
    first : Correlation
        Of the scores in the first phase, which has all rows.
    mean : Correlation
        Of each row's mean score over its phases.
    """

    kept: Overlap
    removed: Overlap
    same: float | None
    kappa: float | None
    first: Correlation
    mean: Correlation


def compare(a: Outcome, b: Outcome) -> Agreement:
    """Compare two runs over the same rows.

    Returns
    -------
    Agreement

    Raises
    ------
    ValueError
        When the runs have different numbers of rows.
    """
    if len(a.kept) != len(b.kept):
        raise ValueError(
            f"a and b must be of the same rows, got {len(a.kept)} and {len(b.kept)} of them"
        )
    kept, removed = Overlap.of(a.kept, b.kept), Overlap.of(~a.kept, ~b.kept)
    same = _ratio(kept.both + removed.both, len(a.kept))
    return Agreement(
        kept=kept,
        removed=removed,
        same=same,
        kappa=cohen(a.kept, b.kept, np.arange(len(a.kept))).estimate.value,
        first=Correlation.of(a.first_scored, b.first_scored),
        mean=Correlation.of(a.mean_scored, b.mean_scored),
    )


@dataclass(frozen=True, slots=True)
class Stability:
    """Numbers of rows by how many of several runs keep them.

    Parameters
    ----------
    rows : tuple of int, length n_runs + 1
        Rows kept by 0, 1, … all of the runs.
    by_chance : tuple of float, the same length
        The expected numbers if each run kept as many rows as it did, drawn independently.
    """

    rows: tuple[int, ...]
    by_chance: tuple[float, ...]

    @property
    def always(self) -> int:
        return self.rows[-1]

    @property
    def never(self) -> int:
        return self.rows[0]

    @property
    def wavering(self) -> int:
        """Rows that some runs keep and others remove."""
        return sum(self.rows[1:-1])


def stability(kept: Sequence[Bools]) -> Stability:
    """Count rows by how many runs keep them.

    Parameters
    ----------
    kept : sequence of bool (n_rows,), one for each run, at least two

    Returns
    -------
    Stability

    Raises
    ------
    ValueError
        When there are fewer than two runs, or their masks differ in length.

    Examples
    --------
    >>> found = stability([np.array([1, 1, 0], bool), np.array([1, 0, 0], bool)])
    >>> found.rows
    (1, 1, 1)
    """
    if len(kept) < 2 or len({len(mask) for mask in kept}) > 1:
        raise ValueError(
            f"kept must hold at least two masks of one length, got {[len(mask) for mask in kept]}"
        )
    n_rows = len(kept[0])
    times = np.sum(kept, axis=0, dtype=np.int64)  # (n_rows,)
    chance = np.ones(1)  # of being kept by 0, 1, … of the runs so far
    for mask in kept:
        share = float(mask.mean()) if n_rows else 0.0
        chance = np.convolve(chance, [1 - share, share])
    return Stability(
        rows=tuple(np.bincount(times, minlength=len(kept) + 1).tolist()),
        by_chance=tuple((n_rows * chance).tolist()),
    )


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None


def _r(x: Floats | None, y: Floats | None) -> float | None:
    return None if x is None or y is None else float(np.corrcoef(x, y)[0, 1])
