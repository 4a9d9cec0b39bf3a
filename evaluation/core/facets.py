"""Counting questions by facets: of each value, how many match all the other facets."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

NO_VOTES = "none"


@dataclass(frozen=True, slots=True)
class Pattern:
    """Questions that are equal in what is counted.

    Parameters
    ----------
    values
        The values of each facet that these questions have; none, one or several.
    n
        How many questions.
    members
        How many of them are in each of some sets (runs, releases), by facet and name.
    in_chosen
        Whether they are in one of the chosen sets of a facet; always true if none is chosen.
    """

    values: Mapping[str, Sequence[str]]
    n: int
    members: Mapping[str, Mapping[str, int]]
    in_chosen: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """The questions that match, and of each facet the number by value, without its own choice."""

    total: int
    facets: Mapping[str, Mapping[str, int]]


def count_facets(patterns: Iterable[Pattern], chosen: Mapping[str, Sequence[str]]) -> FacetCounts:
    """Count questions by the facets of their patterns.

    A question matches a facet with one of the chosen values, or with any if none is chosen. The
    numbers of a facet count the questions that match all others, so they say what another choice
    would show.
    """
    total = 0
    by_facet: dict[str, Counter[str]] = {}
    for pattern in patterns:
        misses = _misses(pattern, chosen)
        if not misses:
            total += pattern.n
        for facet, counts in _counts(pattern).items():
            if misses <= {facet}:
                by_facet.setdefault(facet, Counter()).update(counts)
    return FacetCounts(total, {facet: _positive(counts) for facet, counts in by_facet.items()})


def _misses(pattern: Pattern, chosen: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the facets that the pattern does not match."""
    unlike = {
        facet
        for facet, values in pattern.values.items()
        if chosen.get(facet) and not set(values) & set(chosen[facet])
    }
    return unlike | {facet for facet, is_in in pattern.in_chosen.items() if not is_in}


def _counts(pattern: Pattern) -> dict[str, Mapping[str, int]]:
    """Return the pattern's questions by facet and value."""
    counts: dict[str, Mapping[str, int]] = dict(pattern.members)
    for facet, values in pattern.values.items():
        counts[facet] = dict.fromkeys(values, pattern.n)
    return counts


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {value: n for value, n in counts.items() if n}


def agreement_of(n_right: int, n_votes: int) -> str:
    """Return the votes for the author's answer of all: ``2/3``; ``none`` without a vote."""
    return f"{n_right}/{n_votes}" if n_votes else NO_VOTES


def votes_of(agreement: str) -> tuple[int, int]:
    """Return the votes for the author's answer, and all votes, of an `agreement_of`.

    Raises
    ------
    ValueError
        If it is none.
    """
    if agreement == NO_VOTES:
        return 0, 0
    n_right, _, n_votes = agreement.partition("/")
    if not (n_right.isascii() and n_right.isdigit() and n_votes.isascii() and n_votes.isdigit()):
        raise ValueError(f"agreement must be like 2/3 or {NO_VOTES}, got {agreement!r}")
    return int(n_right), int(n_votes)
