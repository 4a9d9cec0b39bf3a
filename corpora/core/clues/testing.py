"""Exact tests of clues, by kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from corpora.core.clues.results import POWERS, Family, Tested
from stats.binomial import detectable_share, fair_p
from stats.corrections import holm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NameOf = Callable[[int, int], str]
Count = tuple[str, int, int]  # clue, throws, right
NEAREST = 5
MOST_FOUND = 20


@dataclass(frozen=True)
class Counts:
    """How often clues say something and are right, each (k,), without those that say the same.

    Parameters
    ----------
    throws, right, marks : int (k,)
    places : int (k,)
        Of the clue among columns times ways.
    width : int
        The number of ways.
    name_of : callable
        Of column and way, the clue's name.
    """

    throws: Ints
    right: Ints
    marks: Ints
    places: Ints
    width: int
    name_of: NameOf

    @classmethod
    def of(cls, throws: Floats, surplus: Floats, marks: Floats, name_of: NameOf) -> Counts:
        """Take sums of columns times ways (n, m)."""
        flat = [np.rint(array).astype(np.int64).ravel() for array in (throws, surplus, marks)]
        right = (flat[0] + flat[1]) // 2
        places = np.arange(len(right))
        return cls(flat[0], right, np.abs(flat[2]), places, throws.shape[1], name_of)

    def only(self, chosen: NDArray[np.bool_] | Ints) -> Counts:
        return Counts(
            self.throws[chosen],
            self.right[chosen],
            self.marks[chosen],
            self.places[chosen],
            self.width,
            self.name_of,
        )

    def name(self, number: int) -> str:
        column, way = divmod(int(self.places[number]), self.width)
        return self.name_of(column, way)


def family(name: str, counts: Sequence[Count], *, alpha: float, n: int, unit: str) -> Family:
    """Test counts and correct them for each other.

    Parameters
    ----------
    name : str
    counts : sequence of (clue, throws, right)
    alpha : float
    n : int
        Number of units; no clue has more throws.
    unit : str
        As in `Family`.
    """
    names, throws, right = zip(*counts, strict=True) if counts else ((), (), ())
    about = Family(name, alpha, n, unit, len(counts), 0, (), (), ())
    return _tested(about, np.array(throws, int), np.array(right, int), names.__getitem__)


def family_of(kind: str, parts: Sequence[Counts], *, alpha: float, n: int, unit: str) -> Family:
    """Test the clues of a kind that can be found at all, one of those that say the same.

    Which these are depends on how often they say something, and not on the labels.
    """
    sizes = [len(part.throws) for part in parts]
    ends = np.cumsum(sizes)
    throws, right, marks = (
        np.concatenate([np.zeros(0, np.int64), *(getattr(part, field) for part in parts)])
        for field in ("throws", "right", "marks")
    )
    order = np.argsort(-throws, kind="stable")
    order = order[throws[order] > 0]
    _, first = np.unique(marks[order], return_index=True)
    chosen = order[np.sort(first)]
    chosen = chosen[: _most_testable(throws[chosen], alpha)]

    def name_of(number: int) -> str:
        place = int(chosen[number])
        part = int(np.searchsorted(ends, place, side="right"))
        return parts[part].name(place - int(ends[part] - sizes[part]))

    about = Family(kind, alpha, n, unit, len(chosen), 0, (), (), ())
    return _tested(about, throws[chosen], right[chosen], name_of, most=MOST_FOUND)


def _most_testable(throws: Ints, alpha: float) -> int:
    """Return how many clues, those with the most throws first, can all be found if always right.

    Source: Tarone, A modified Bonferroni method for discrete data (Biometrics 1990).
    """
    numbers = np.arange(1, len(throws) + 1)
    fine = np.exp2(1.0 - throws) * numbers <= alpha
    # Clues with equal throws are all tested, or none of them.
    last = np.append(throws[1:] < throws[:-1], True)[: len(throws)]
    return int(np.max(numbers[fine & last], initial=0))


def _tested(
    about: Family,
    throws: Ints,
    right: Ints,
    name_of: Callable[[int], str],
    *,
    most: int | None = None,
) -> Family:
    level = about.alpha / max(1, len(throws))
    p = fair_p(right, throws)
    corrected = holm(p)
    order = np.lexsort((-throws, p))

    def tested(i: int) -> Tested:
        power = detectable_share(int(throws[i]), level=level, power=POWERS[-1])
        values = (int(throws[i]), int(right[i]), float(p[i]), float(corrected[i]))
        return Tested(name_of(i), *values, power)

    n_found = int((corrected <= about.alpha).sum())
    # A clue that is silent on some questions is right on half of these: it has to be right on more
    # of the others, but on fewer of all, than a clue that always says something.
    n = about.n if len(throws) else 0
    powers = (detectable_share(n, level=level, power=power) for power in POWERS)
    return replace(
        about,
        n_found=n_found,
        detectable=tuple(powers),
        found=tuple(map(tested, order[:n_found][:most].tolist())),
        nearest=tuple(map(tested, order[n_found : n_found + NEAREST].tolist())),
    )
