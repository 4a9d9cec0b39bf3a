"""What a transformation returns, and the steps that all of them share."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from corpora.core.forms import to_blank
from corpora.core.items import BLANK, Item


@dataclass(frozen=True, slots=True)
class Transformed:
    """Items after a transformation, and the number of items left out, by reason.

    Parameters
    ----------
    items : list of Item
        In the order of the items given. A group is complete or absent, so that accuracies over
        items and over groups describe the same questions.
    dropped : Counter of str
        The number of items given that are absent, for each reason.
    """

    items: list[Item]
    dropped: Counter[str]


class Dropped(Exception):
    """An item cannot be transformed, for the reason given."""


GROUP_INCOMPLETE = "another item of its group was left out"


def transform_each(
    items: Sequence[Item], transform: Callable[[Item], Sequence[Item]]
) -> Transformed:
    """Apply a transformation to every item, as a blank, and leave out incomplete groups.

    Parameters
    ----------
    items : sequence of Item
    transform : callable
        Takes an item of the form 'blank' and returns the items that replace it, or raises
        `Dropped`.
    """
    transformed: list[tuple[Item, Sequence[Item]]] = []
    dropped: Counter[str] = Counter()
    incomplete: set[str] = set()
    for item in items:
        try:
            transformed.append((item, transform(as_blank(item))))
        except Dropped as reason:
            dropped[str(reason)] += 1
            incomplete.add(item.group)
    complete = [new for item, new in transformed if item.group not in incomplete]
    if lost := len(transformed) - len(complete):
        dropped[GROUP_INCOMPLETE] = lost
    return Transformed([item for new in complete for item in new], dropped)


def as_blank(item: Item) -> Item:
    """Return an item with its pronoun replaced by a blank; `Dropped` if it has no such place."""
    if item.form == "blank":
        return item
    if item.form != "pronoun":
        raise Dropped(f"the form {item.form!r} has no place for an option")
    if item.blanked.count(BLANK) != 1:
        raise Dropped("the sentence contains an underscore")
    return to_blank(item)


def with_sentence(item: Item, sentence: str) -> Item:
    """Return an item with another sentence, in which white space is one space."""
    return replace(item, sentence=" ".join(sentence.split()))
