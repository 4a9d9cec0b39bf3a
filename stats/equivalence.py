"""Whether two systems are equally accurate up to a margin, over rows in groups."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.groups import Names, group_numbers

LEVEL = 0.05  # the probability of a false "equivalent"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A test of whether a mean difference is nearer to 0 than a margin.

    Parameters
    ----------
    p : float in [0, 1]
        Of two one-sided tests the larger p-value: small if both "above the margin" and "below minus
        the margin" are refuted. 1 for fewer than two groups.
    power : float in [0, 1]
        The probability that the test refutes both at the level asked for, if the true difference is
        0 and the rows differ as often as they do here.
    """

    p: float
    power: float


def equivalence(
    differences: ArrayLike, groups: Names, *, margin: float, level: float = LEVEL
) -> Equivalence:
    """Test whether the mean of paired differences lies between minus a margin and the margin.

    Parameters
    ----------
    differences : float in [-1, 1] (n,)
        Of the credits of two systems for each row.
    groups : (n,)
        As for `paired.mcnemar`: rows of a group are not taken to be independent.
    margin : float in (0, 1)
    level : float in (0, 1)
        Of the test whose power is computed.

    Returns
    -------
    Equivalence

    Raises
    ------
    ValueError
        When the lengths differ, or a value is out of its range.

    Notes
    -----
    Each test is Tango's score test: its variance is the one that the data would have if the true
    difference were the margin, so that rows without any difference are no proof of equality. Here
    it is multiplied by how much more the sums over groups vary than independent rows would, at
    least 1; this factor is computed with two more groups that differ in all their rows, as large
    as the group of a row is on average. Half a step is subtracted from the distance to the margin
    (a continuity correction), and the statistic is compared with Student's t of one degree of
    freedom less than there would be groups of this size. Without these three the test says
    "equivalent" too often at the margin (simulated): of rows taken as independent, of twins that
    change together, and of few changes. With the mean over groups as the size, it said so in up to
    half of the cases where a few groups have many of the rows.

    Source: Schuirmann, A comparison of the two one-sided tests procedure (Journal of
    Pharmacokinetics and Biopharmaceutics 1987); Tango, Equivalence test and confidence interval for
    the difference in proportions for the paired-sample design (Statistics in Medicine 1998). The
    factor for groups, the correction and t are departures.

    Examples
    --------
    >>> few, many = [0] * 80, [0] * 800
    >>> round(equivalence(few, [None] * 80, margin=0.03).p, 3)
    0.108
    >>> equivalence(many, [None] * 800, margin=0.03).p < 0.001
    True
    """
    values = np.asarray(differences, dtype=np.float64)
    _validate(values, groups, margin, level)
    of_row = group_numbers(groups)
    sums = np.bincount(of_row, weights=values).astype(np.float64)
    n = len(values)
    if len(sums) < 2:
        return Equivalence(1.0, 0.0)
    size = float((np.bincount(of_row) ** 2).sum()) / n  # of the group of a row, on average
    more, less = float(values[values > 0].sum()), float(-values[values < 0].sum())
    step = _step(sums, changed=more + less, size=size)
    tests = _Tests(n=n, n_groups=n / size, margin=margin, step=step)
    p = max(tests.p(more, less), tests.p(less, more))
    return Equivalence(p, tests.power(more + less, level))


def _validate(values: NDArray[np.float64], groups: Names, margin: float, level: float) -> None:
    if len(values) != len(groups):
        raise ValueError(f"groups must have {len(values)} entries, got {len(groups)}")
    if not (np.abs(values) <= 1).all():
        raise ValueError("differences must be from -1 to 1 in every row")
    for name, value in (("margin", margin), ("level", level)):
        if not 0 < value < 1:
            raise ValueError(f"{name} must be between 0 and 1, got {value}")


def _step(sums: NDArray[np.float64], *, changed: float, size: float) -> float:
    """Return the variance of the total for each changed row: 1 if rows change independently."""
    return max(1.0, (float((sums**2).sum()) + 2 * size**2) / (changed + 2 * size))


@dataclass(frozen=True, slots=True)
class _Tests:
    """The one-sided tests of n rows; ``step`` is as in `_step`.

    ``n_groups`` are as many as groups of one size would be if they were as large as that of a row
    is on average.
    """

    n: int
    n_groups: float
    margin: float
    step: float

    def p(self, more: float, less: float) -> float:
        """Return the p-value of "the mean is at least the margin"."""
        from scipy.stats import t  # takes half a second to import

        distance = self.n * self.margin - (more - less) - self.step / 2
        return float(t.sf(distance / self._deviation(more, less), self.n_groups - 1))

    def power(self, changed: float, level: float) -> float:
        """Return the probability that both tests reject if changes either way are as likely."""
        from scipy.stats import norm, t

        z = float(t.isf(level, self.n_groups - 1))
        room = self.n * self.margin - self.step / 2 - z * self._deviation(changed / 2, changed / 2)
        if room <= 0:
            return 0.0
        deviation = sqrt(self.step * changed)
        return float(2 * norm.cdf(room / deviation) - 1) if deviation else 1.0

    def _deviation(self, more: float, less: float) -> float:
        """Return the standard deviation of the total if the true mean is the margin."""
        n, least = self.n, self.margin * (1 - self.margin)
        slope = -more - less + (2 * n - more + less) * self.margin
        down = (sqrt(slope**2 + 8 * n * less * least) - slope) / (4 * n)
        return sqrt(self.step * n * (2 * max(0.0, down) + least))
