"""Clues that compare the two options, and whether two properties agree."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpora.core.clues.questions import Question
from corpora.core.clues.tables import Labelled

Floats = NDArray[np.float64]
Signs = NDArray[np.int8]


@dataclass
class Doubles:
    """Counts of the agreement of two properties, times each way of naming an option.

    Parameters
    ----------
    n_properties, width : int
    """

    n_properties: int
    width: int
    sums: Floats = field(init=False)  # (3, m, n_properties, n_properties)

    def __post_init__(self) -> None:
        self.sums = np.zeros((3, self.width, self.n_properties, self.n_properties))

    def add(self, properties: Signs, units: Labelled) -> None:
        """Count units by the properties, 1 or -1, of their questions (n_questions, n_properties).

        Of twins, the agreement says something if it differs between them.
        """
        is_paired = len(properties) > len(units.labels)
        twins = [properties[0::2], properties[1::2]] if is_paired else [properties]
        parts = [twin.astype(np.float64) for twin in twins]
        for way in range(self.width):
            named = units.options[:, way]
            for place, by in ((1, units.labels), (2, units.marks)):
                sums = [part.T @ ((by * named)[:, None] * part) for part in parts]
                self.sums[place, way] += (sums[0] - sums[1]) / 2 if is_paired else sums[0]
            same = np.prod(parts, axis=0) if is_paired else np.zeros_like(parts[0])
            silent = same.T @ (np.abs(named)[:, None] * same)
            n = np.abs(named).sum()
            self.sums[0, way] += (n - silent) / 2 if is_paired else n

    @property
    def totals(self) -> tuple[Floats, Floats, Floats]:
        """Return throws, surplus and marks of every two properties, each (n_doubles, m)."""
        one, other = np.triu_indices(self.n_properties, 1)
        throws, surplus, marks = self.sums[:, :, one, other].transpose(0, 2, 1)
        return throws, surplus, marks


Compares = Callable[[Question], int]
FAR = 10**6


def more(first: float, second: float) -> int:
    """Return 1 if the first is more, -1 if the second is, 0 if they are equal."""
    return (first > second) - (first < second)


def _by_option(measure: Callable[[str], float]) -> Compares:
    return lambda question: more(*map(measure, question.options))


def _alphabet(question: Question) -> int:
    first, second = (option.casefold() for option in question.options)
    return (first < second) - (first > second)


def _last_letters(question: Question) -> int:
    first, second = (option.casefold()[::-1] for option in question.options)
    return (first < second) - (first > second)


def _mentioned_first(question: Question) -> int:
    first, second = (spans[0][0] if spans else FAR for spans in question.mentions)
    return more(second, first) if FAR not in (first, second) else 0


def _nearer(question: Question) -> int:
    first, second = (
        min((abs(start - question.blank) for start, _ in spans), default=FAR)
        for spans in question.mentions
    )
    return more(second, first) if FAR not in (first, second) else 0


def _mentions(question: Question) -> int:
    first, second = map(len, question.mentions)
    return more(first, second)


def has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


COMPARISONS: Mapping[str, Compares] = {
    "option that is first in the sentence": _mentioned_first,
    "option nearer to the blank": _nearer,
    "longer option": _by_option(len),
    "option that is first in the alphabet": _alphabet,
    "option with more words": _by_option(lambda text: len(text.split())),
    "option with a capital": _by_option(lambda text: text[:1].isupper()),
    "option with a digit": _by_option(has_digit),
    "option that is mentioned more often": _mentions,
    "option whose ending is first in the alphabet": _last_letters,
}
"""Say 1 for option 1, -1 for option 2, or 0 for neither. The first four tell most pairs apart."""
MAIN = 4
