"""Parts of a set of questions that their metadata distinguish."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corpora.core.items import Item

MOST_VALUES = 6  # of an entry that is a category; more would be names or texts


def in_words(name: str) -> str:
    """Return a name of the code or of a file, such as ``no_candidates``, as words."""
    return name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Subset:
    """The questions with one value of a metadata entry; ``name`` is used in addresses."""

    key: str
    value: Any
    n: int

    @property
    def name(self) -> str:
        return f"{self.key}={_text(self.value)}"

    @property
    def title(self) -> str:
        """The entry in words: ``associative``, ``not associative``, ``type 1``."""
        key = in_words(self.key)
        if isinstance(self.value, bool):
            return key if self.value else f"not {key}"
        return f"{key} {_text(self.value)}"

    def rows(self, items: Sequence[Item]) -> list[int]:
        """Return the rows of the items that are in the subset."""
        return [n for n, item in enumerate(items) if _is(item.metadata.get(self.key), self.value)]


def subsets_of(items: Sequence[Item]) -> list[Subset]:
    """Return the subsets of a set by the metadata that are true or false, or a category.

    An entry is a category if it has 2 to `MOST_VALUES` different short values. An entry that all
    items have with one value distinguishes nothing, and is left out.
    """
    counts: dict[str, Counter[Any]] = {}
    for item in items:
        for key, value in item.metadata.items():
            if isinstance(value, bool | int | str) and len(str(value)) <= 40:
                counts.setdefault(key, Counter())[(type(value).__name__, value)] += 1
    return [
        Subset(key, value, n)
        for key, found in counts.items()
        if len(found) <= MOST_VALUES and max(found.values()) < len(items)
        for (_, value), n in sorted(found.items(), key=lambda pair: str(pair[0]), reverse=True)
        if n > 1
    ]


def _is(found: Any, value: Any) -> bool:
    # In Python 1 == True: an entry that is sometimes a number must not be in the wrong subset.
    return type(found) is type(value) and found == value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
