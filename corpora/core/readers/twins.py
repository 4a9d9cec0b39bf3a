"""Find the twins of a file that does not name them, by their text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from corpora.core.items import Item

OVERLAP = 0.70
"""Words that the sentences of twins share at least, of the longer one's."""
MOST_COMPARED = 500
"""Questions with the same options that are compared with each other."""


def with_twins(items: Sequence[Item]) -> Iterator[Item]:
    """Group the items that are twins by their text; the others keep their own group.

    Twins have the same options, sentences that share at least `OVERLAP` of their words and are not
    the same, and opposite answers where both are known. Of several candidates those that share most
    are twins, and of equal ones those that are nearest to each other in the file.
    """
    alike: dict[frozenset[str], list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        alike[frozenset(option.casefold() for option in item.options)].append(place)
    groups: dict[int, str] = {}
    for places in alike.values():
        for first, second in _pairs(items, places):
            groups[first] = groups[second] = items[first].group
    for place, item in enumerate(items):
        yield replace(item, group=groups[place]) if place in groups else item


def _pairs(items: Sequence[Item], places: Sequence[int]) -> Iterator[tuple[int, int]]:
    words = {place: Counter(items[place].sentence.casefold().split()) for place in places}
    found = []
    for start in range(0, len(places), MOST_COMPARED):
        for first, second in combinations(places[start : start + MOST_COMPARED], 2):
            if _may_be_twins(items[first], items[second]):
                share = _share(words[first], words[second])
                if OVERLAP <= share < 1:
                    found.append((-share, second - first, first, second))
    taken: set[int] = set()
    for _, _, first, second in sorted(found):
        if first not in taken and second not in taken:
            taken |= {first, second}
            yield first, second


def _may_be_twins(first: Item, second: Item) -> bool:
    if None in (first.answer, second.answer):
        return True
    return _right(first) != _right(second)


def _right(item: Item) -> str:
    assert item.answer is not None
    return item.options[item.answer - 1].casefold()


def _share(first: Counter[str], second: Counter[str]) -> float:
    return (first & second).total() / max(first.total(), second.total())
