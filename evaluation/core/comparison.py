"""Several models on the same questions, each compared with the best."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from corpora.core.metrics import accuracy
from stats.binomial import fair_p
from stats.corrections import holm
from stats.differences import clustered_difference
from stats.equivalence import Equivalence, equivalence
from stats.groups import Names, group_numbers
from stats.intervals import Estimate
from stats.paired import randomisation_p

Floats = NDArray[np.float64]
Pair = frozenset[str]

# A difference, or an equivalence, with a corrected p-value of at most ALPHA is significant.
ALPHA, POWER = 0.05, 0.8
MARGIN, LEAST_MARGIN, MOST_MARGIN = 0.03, 0.005, 0.2
"""The margin of equivalence that is chosen for those who choose none, and the bounds of others.

3 points, since that can be shown with a split of common size: of 1,267 questions, as many as
WinoGrande's development split has, of which two equal systems answer 10 % differently, it is shown
in about 90 % of cases. 1 point would take about 8,700 questions for 80 %.
"""


class Verdict(StrEnum):
    """What the tests of a difference and of equivalence say together."""

    LESS_ACCURATE = "less_accurate"
    LESS_WITHIN_MARGIN = "less_accurate_within_margin"
    EQUIVALENT = "equivalent"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True)
class Flips:
    """Questions that two systems answer differently.

    Parameters
    ----------
    lost, gained : int
        That the best has right and the other wrong, and the reverse. Of several seeds: all right,
        or all wrong.
    partly : int
        All others with different credits: a tie is half right, and seeds may disagree.
    p : float in [0, 1]
        Two-sided p-value of McNemar's exact test of ``lost`` against ``gained``, corrected for all
        pairs of systems as that of the difference is. It takes all questions as independent.
    """

    lost: int
    gained: int
    partly: int
    p: float


@dataclass(frozen=True, slots=True)
class Versus:
    """A model against the best.

    Parameters
    ----------
    difference : Estimate
        The model minus the best, at most 0. The interval is of this comparison alone; it does not
        allow for the number of models.
    p : float in [0, 1]
        Two-sided p-value of this comparison alone.
    p_corrected : float in [0, 1]
        Corrected for all pairs of models; at most 0.05 is a significant difference.
    detectable : float in [0, 1]
        The difference that would be found with a probability of at least 80 %; 1 if none would.
    flips : Flips
    equivalence : Equivalence
        Whether the difference is below the margin, corrected for all pairs of systems.
    """

    difference: Estimate
    p: float
    p_corrected: float
    detectable: float
    flips: Flips
    equivalence: Equivalence

    @property
    def verdict(self) -> Verdict:
        """What both tests say; they can agree, and neither may find anything."""
        is_within = self.equivalence.p <= ALPHA
        if self.p_corrected <= ALPHA:
            return Verdict.LESS_WITHIN_MARGIN if is_within else Verdict.LESS_ACCURATE
        return Verdict.EQUIVALENT if is_within else Verdict.CANNOT_TELL


@dataclass(frozen=True, slots=True)
class Comparison:
    """The name of the best model, and every other model against it.

    Parameters
    ----------
    best : str or None
        The model with the highest mean credit, of equal ones the first; None without models.
    others : dict of str to Versus
        In the order given.
    """

    best: str | None
    others: dict[str, Versus]


def compare(
    credits: Mapping[str, ArrayLike], groups: Names, *, margin: float = MARGIN
) -> Comparison:
    """Compare each model with the best on the same questions.

    Parameters
    ----------
    credits : mapping of model to bool, or float in [0, 1], (n,)
        As in `metrics.accuracy`. To compare group scores, give each model's
        `metrics.group_credits`, and as many None as ``groups``.
    groups : (n,)
    margin : float in (0, 1)
        Systems whose true accuracies differ by less are called equivalent.

    Returns
    -------
    Comparison
        p-values are those of `stats.paired.randomisation_p` and of `stats.equivalence` over groups;
        those of `Flips` are of single questions.

    Raises
    ------
    ValueError
        As `metrics.accuracy` and `stats.equivalence`.

    Notes
    -----
    The best is chosen by the same answers, so it differs from the others more than a model chosen
    beforehand. With ten equal models, correcting for the nine comparisons shown finds a difference
    in about 10 % of cases (simulated); so p-values are corrected for all 45 pairs of models.

    Power, simulated for five models on 630 pairs, four of them right on 70 % of the questions, with
    half of the draws in common: a fifth model that is 3 points worse is found in about 40 % of
    cases, one that is 5 points worse in about 85 %, and one that is 8 points worse in nearly all.

    Source: Holm, A simple sequentially rejective multiple test procedure (Scandinavian Journal of
    Statistics 1979).

    Examples
    --------
    >>> found = compare({"a": [True] * 9, "b": [False] * 9, "c": [True] * 9}, [None] * 9)
    >>> found.best, round(found.others["b"].p, 4), round(found.others["b"].p_corrected, 4)
    ('a', 0.0039, 0.0117)
    """
    values = {name: _floats(credit, groups) for name, credit in credits.items()}
    if not values:
        return Comparison(None, {})
    of_row = group_numbers(groups)
    best = max(values, key=lambda name: float(values[name].sum()))
    pairs = [frozenset(pair) for pair in combinations(values, 2)]
    differences = {pair: _difference(values, pair) for pair in pairs}
    raw = {pair: randomisation_p(one, of_row) for pair, one in differences.items()}
    corrected = _corrected(raw)
    by_questions = _corrected({pair: _mcnemar_p(one) for pair, one in differences.items()})
    level = ALPHA / max(1, len(pairs))  # the first, and so the lowest, of Holm's
    alike = {
        pair: equivalence(one, of_row, margin=margin, level=level)
        for pair, one in differences.items()
    }
    alike_p = _corrected({pair: test.p for pair, test in alike.items()})
    others = {}
    for name in values:
        if name != best:
            pair = frozenset((name, best))
            difference = _estimate(values[name], values[best], of_row)
            sums = np.bincount(of_row, weights=differences[pair]).astype(np.float64)
            others[name] = Versus(
                difference,
                raw[pair],
                corrected[pair],
                _detectable(difference, sums, len(of_row), len(pairs)),
                _flips(values[best], values[name], by_questions[pair]),
                Equivalence(alike_p[pair], alike[pair].power),
            )
    return Comparison(best, others)


def _corrected(p: Mapping[Pair, float]) -> dict[Pair, float]:
    return dict(zip(p, holm(list(p.values())).tolist(), strict=True))


def _mcnemar_p(differences: Floats) -> float:
    one, two = int((differences == 1).sum()), int((differences == -1).sum())
    return float(fair_p([one], [one + two])[0])


def _flips(best: Floats, model: Floats, p: float) -> Flips:
    lost, gained = int((best - model == 1).sum()), int((best - model == -1).sum())
    return Flips(lost, gained, int((best != model).sum()) - lost - gained, p)


def _difference(values: Mapping[str, Floats], pair: Pair) -> Floats:
    one, two = pair
    return values[one] - values[two]


def _estimate(model: Floats, best: Floats, groups: NDArray[np.int64]) -> Estimate:
    first = np.repeat([True, False], len(model))
    return clustered_difference(np.concatenate([model, best]), first, np.tile(groups, 2))


def _detectable(difference: Estimate, sums: Floats, n: int, n_pairs: int) -> float:
    """Return a difference that is found at the first, and so the lowest, of Holm's levels.

    A model that is worse by d has another answer on a share d of the n questions, which adds to the
    variance as much for each of these as those do on which the two differ now, by sums over groups.
    """
    if difference.low is None or difference.high is None:
        return 1.0
    z = -float(ndtri(ALPHA / n_pairs / 2) + ndtri(1 - POWER))
    variance = ((difference.high - difference.low) / (2 * ndtri(0.975))) ** 2
    differing = float(np.abs(sums).sum())
    added = z * z * max(float((sums**2).sum()) / differing if differing else 1.0, 1.0) / n
    return min(1.0, (added + sqrt(added**2 + 4 * z * z * variance)) / 2)


def _floats(credits: ArrayLike, groups: Names) -> Floats:
    accuracy(credits, groups)  # raises if they are not credits
    return np.asarray(credits, dtype=np.float64)
