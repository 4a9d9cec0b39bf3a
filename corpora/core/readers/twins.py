"""Group the twins of a file that does not name them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from collection.core.matching import pairs
from corpora.core.items import Item


def with_twins(items: Sequence[Item]) -> Iterator[Item]:
    """Group the items that are twins by their text (`pairs`); the others keep their own group."""
    groups: dict[int, str] = {}
    for first, second in pairs(items):
        groups[first] = groups[second] = items[first].group
    for place, item in enumerate(items):
        yield replace(item, group=groups[place]) if place in groups else item
