"""Where an option's words stand in a sentence, and twins that nobody named as twins."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations
from typing import Protocol

from collection.core.findings import SentenceNumber

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})


class Fit(IntEnum):
    """How a phrase fits among the letters around it; higher is better."""

    INSIDE = 0  # "ball" in "football"
    START = 1  # "cup" in "cups": usually an inflected form
    WHOLE = 2  # "cup" in "the cup's handle"


@dataclass(frozen=True, slots=True)
class Place:
    """The characters of a phrase in a sentence, and how it fits there."""

    start: int
    end: int
    fit: Fit


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A sentence prepared once for all rules.

    `name` is its name in messages, `words` are its words, `folded` is its text after `fold`.
    """

    number: SentenceNumber
    name: str
    sentence: str
    words: tuple[str, ...]
    folded: str


def fold(text: str) -> str:
    """Return the text in lower case with plain apostrophes; offsets stay the same.

    A character whose lower case is longer ("İ") is kept for that reason.
    """
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lower if lower.isascii() else lower.translate(_APOSTROPHES)


def find_places(phrase: str, folded: str) -> Iterator[Place]:
    """Yield every occurrence of a phrase in a sentence that was folded with `fold`.

    Case, the kind of apostrophe and the width of white space do not matter.
    """
    wanted = fold(" ".join(phrase.split()))
    if not 0 < len(wanted) <= len(folded):
        return
    spans = list(_occurrences(wanted, folded))
    if not spans and " " in wanted:
        # The sentence may have a double or non-breaking space where the phrase has a plain one.
        pattern = r"\s+".join(map(re.escape, wanted.split()))
        spans = [match.span() for match in re.finditer(pattern, folded)]
    for start, end in spans:
        yield Place(start, end, _fit(folded, start, end))


def best_place(phrase: str, folded: str) -> Place | None:
    """Return the best-fitting occurrence of a phrase, the first in ties; None if there is none."""
    best = None
    for place in find_places(phrase, folded):
        if best is None or place.fit > best.fit:
            best = place
        if best.fit is Fit.WHOLE:
            break
    return best


def word_around(place: Place, folded: str) -> tuple[int, int]:
    """Return the span of the whole word (letters and digits) that a place is part of."""
    start, end = place.start, place.end
    while start and folded[start - 1].isalnum():
        start -= 1
    while end < len(folded) and folded[end].isalnum():
        end += 1
    return start, end


def _occurrences(wanted: str, folded: str) -> Iterator[tuple[int, int]]:
    start = folded.find(wanted)
    while start >= 0:
        yield start, start + len(wanted)
        start = folded.find(wanted, start + 1)


def _fit(folded: str, start: int, end: int) -> Fit:
    if start and folded[start].isalnum() and folded[start - 1].isalnum():
        return Fit.INSIDE
    if end < len(folded) and folded[end - 1].isalnum() and folded[end].isalnum():
        return Fit.START
    return Fit.WHOLE


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
