"""Figures of the votes that a release publishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from stats.agreement import agreement

MEASURES = ("raw", "alpha", "kappa")
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
        Lines of ``provenance/votes.jsonl``, those of a question one after the other. Excluded votes
        are counted and do not enter the agreement.

    Returns
    -------
    dict
        ``votes``, ``excluded``, ``validators``, ``questions``, and ``agreement`` by part and
        measure, rounded to four decimals; None where it is undefined.
    """
    patterns: dict[str, Counter[tuple[int, ...]]] = {part: Counter() for part in PARTS}
    validators, n_votes, n_excluded, n_questions = set(), 0, 0, 0
    of = None
    ballots: list[Mapping[str, Any]] = []
    for vote in votes:
        n_votes += 1
        validators.add(vote["validator"])
        if vote["qID"] != of:
            _count(patterns, ballots)
            of, ballots, n_questions = vote["qID"], [], n_questions + 1
        if vote["excluded"]:
            n_excluded += 1
        else:
            ballots.append(vote)
    _count(patterns, ballots)
    return {
        "votes": n_votes,
        "excluded": n_excluded,
        "validators": len(validators),
        "questions": n_questions,
        "agreement": {part: _agreement(part, found) for part, found in patterns.items()},
    }


def _count(patterns: dict[str, Counter[tuple[int, ...]]], ballots: list[Mapping[str, Any]]) -> None:
    for part, (key, values, _) in PARTS.items() if ballots else ():
        given = [ballot[key] for ballot in ballots]
        patterns[part][tuple(given.count(value) for value in values)] += 1


def _agreement(part: str, patterns: Counter[tuple[int, ...]]) -> dict[str, float | None]:
    if not patterns:
        return dict.fromkeys(MEASURES)
    counts = sorted(patterns)
    found = agreement(counts, times=[patterns[one] for one in counts], mirror=PARTS[part][2])
    values = {measure: getattr(found, measure) for measure in MEASURES}
    return {name: None if one is None else round(one, 4) for name, one in values.items()}
