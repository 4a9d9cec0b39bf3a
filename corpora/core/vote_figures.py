"""Figures of the votes that a release publishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from stats.agreement import agreement_of_groups
from stats.intervals import Estimate

MEASURES = ("raw", "alpha", "kappa")
Group = tuple[tuple[int, ...], ...]  # how often each value was given to each question of a pair
# Each part of a vote: its key, its values, and which value is which with the options swapped.
PARTS: dict[str, tuple[str, tuple[Any, ...], tuple[int, ...] | None]] = {
    "answer": ("option", (1, 2), (1, 0)),
    "ambiguity": ("ambiguous", (False, True), None),
    "local": ("local_option", (None, 1, 2), (0, 2, 1)),
}


def vote_figures(votes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the number of votes, validators and questions, and the agreement of the votes.

    Parameters
    ----------
    votes : iterable of mapping
        Lines of ``provenance/votes.jsonl``, those of a pair one after the other. Excluded votes
        are counted and do not enter the agreement.

    Returns
    -------
    dict
        ``votes``, ``excluded``, ``validators``, ``questions``, and ``agreement`` by part and
        measure: a value with its 95 % interval over pairs, for these validators, rounded to four
        decimals; None where it is undefined.
    """
    patterns: dict[str, Counter[Group]] = {part: Counter() for part in PARTS}
    validators, n_votes, n_excluded, n_questions = set(), 0, 0, 0
    for _pair, its_votes in groupby(votes, key=_pair_of):
        ballots: dict[str, list[Mapping[str, Any]]] = {}
        for vote in its_votes:
            n_votes += 1
            n_excluded += vote["excluded"]
            validators.add(vote["validator"])
            used = ballots.setdefault(vote["qID"], [])
            used += [] if vote["excluded"] else [vote]
        n_questions += len(ballots)
        _count(patterns, ballots.values())
    return {
        "votes": n_votes,
        "excluded": n_excluded,
        "validators": len(validators),
        "questions": n_questions,
        "agreement": {part: _agreement(part, found) for part, found in patterns.items()},
    }


def _pair_of(vote: Mapping[str, Any]) -> str:
    name: str = vote["qID"]
    return name.rpartition("-")[0] or name


def _count(
    patterns: dict[str, Counter[Group]], questions: Iterable[list[Mapping[str, Any]]]
) -> None:
    used = [ballots for ballots in questions if ballots]
    for part, (key, values, _) in PARTS.items() if used else ():
        given = [[ballot[key] for ballot in ballots] for ballots in used]
        counts = (tuple(labels.count(value) for value in values) for labels in given)
        patterns[part][tuple(sorted(counts))] += 1


def _agreement(part: str, patterns: Counter[Group]) -> dict[str, Any]:
    found = agreement_of_groups(dict(sorted(patterns.items())), mirror=PARTS[part][2])
    return {measure: _rounded(getattr(found, measure)) for measure in MEASURES}


def _rounded(found: Estimate) -> dict[str, float | int | None]:
    ends = (found.value, found.low, found.high)
    value, low, high = (None if one is None else round(one, 4) for one in ends)
    return {"value": value, "low": low, "high": high, "n": found.n}
