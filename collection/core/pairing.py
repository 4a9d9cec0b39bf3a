"""Finds the twins of questions that nobody named as twins, by their text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Protocol

OVERLAP = 0.70
"""Words that the sentences of twins share at least, of the longer one's."""
MOST_COMPARED = 500
"""Questions with the same options that are compared with each other."""


class Pairable(Protocol):
    """A question as `pairs` reads it; an unknown answer is None."""

    @property
    def sentence(self) -> str: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def answer(self) -> int | None: ...


def pairs(questions: Sequence[Pairable]) -> Iterator[tuple[int, int]]:
    """Yield the places of questions that are twins by their text, the earlier place first.

    Twins have the same options, sentences that share at least `OVERLAP` of their words and are not
    the same, and opposite answers where both are known. Of several candidates those that share most
    are twins, and of equal ones those that are nearest to each other in the file.
    """
    alike: dict[frozenset[str], list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        alike[frozenset(option.casefold() for option in question.options)].append(place)
    for places in alike.values():
        yield from _pairs_of(questions, places)


def _pairs_of(questions: Sequence[Pairable], places: Sequence[int]) -> Iterator[tuple[int, int]]:
    words = {place: Counter(questions[place].sentence.casefold().split()) for place in places}
    candidates = []
    for start in range(0, len(places), MOST_COMPARED):
        for first, second in combinations(places[start : start + MOST_COMPARED], 2):
            if _may_be_twins(questions[first], questions[second]):
                share = _share(words[first], words[second])
                if OVERLAP <= share < 1:
                    candidates.append((-share, second - first, first, second))
    taken: set[int] = set()
    for _, _, first, second in sorted(candidates):
        if first not in taken and second not in taken:
            taken |= {first, second}
            yield first, second


def _may_be_twins(first: Pairable, second: Pairable) -> bool:
    if None in (first.answer, second.answer):
        return True
    return _right(first) != _right(second)


def _right(question: Pairable) -> str:
    assert question.answer is not None
    return question.options[question.answer - 1].casefold()


def _share(first: Counter[str], second: Counter[str]) -> float:
    return (first & second).total() / max(first.total(), second.total())
