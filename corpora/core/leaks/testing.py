"""Exact tests of how often clues are right."""

from __future__ import annotations

from collections.abc import Sequence

from corpora.core.leaks.results import POWERS, Family, Tested
from stats.binomial import detectable_share, fair_p
from stats.corrections import holm

Count = tuple[str, int, int]  # clue, throws, right
NEAREST = 5


def family(name: str, counts: Sequence[Count], *, alpha: float, n: int) -> Family:
    """Test counts and correct them for each other.

    Parameters
    ----------
    name : str
    counts : sequence of (clue, throws, right)
    alpha : float
    n : int
        Number of pairs and unpaired questions; no clue has more throws.
    """
    level = alpha / max(1, len(counts))
    tests = sorted(_tested(counts, level), key=lambda one: (one.p, one.clue))
    found = tuple(one for one in tests if one.p_corrected <= alpha)
    # A clue that is silent on some questions is right on half of these: it has to be right on more
    # of the others, but on fewer of all, than a clue that always says something.
    powers = [detectable_share(n, level=level, power=power) for power in POWERS]
    return Family(
        name, alpha, len(tests), tuple(powers), found, tuple(tests[len(found) :][:NEAREST])
    )


def _tested(counts: Sequence[Count], level: float) -> list[Tested]:
    if not counts:
        return []
    _, throws, right = zip(*counts, strict=True)
    p = fair_p(right, throws)
    corrected = holm(p)
    return [
        Tested(*count, float(p[i]), float(corrected[i]), _detectable(count[1], level))
        for i, count in enumerate(counts)
    ]


def _detectable(throws: int, level: float) -> float | None:
    return detectable_share(throws, level=level, power=POWERS[-1])
