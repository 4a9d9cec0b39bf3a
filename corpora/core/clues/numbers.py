"""Numbers of a sentence, and what is compared and combined of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.core.clues.characters import CLASSES, Characters
from corpora.core.clues.questions import NOWHERE, PARTS, Question, Unit, own_words

Ints = NDArray[np.int64]
Signs = NDArray[np.int8]

PUNCTUATION = ".,;:!?…\"'“”‘’()[]{}«»"
WORD_CLASSES: Mapping[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "negations": "no not never none nobody nothing neither nor nowhere without cannot hardly",
        "pronouns": "i you he she it we they me him her us them who whom himself herself",
        "possessives": "my your his her its our their mine yours hers ours theirs whose",
        "articles": "a an the",
        "auxiliaries": "am is are was were be been being has have had do does did",
        "modal verbs": "can could may might must shall should will would ought",
        "connectives": "because since so but although though while whereas however and or",
        "prepositions": "of in on at by for with from to into onto over under after before",
        "quantities": "all every each some any many much more most few less least several both",
    }.items()
}
NEGATION = "n't"
DIGITS = 9  # that are read of a number
_CLASSES_OF: dict[str, list[int]] = {}
for _number, _words in enumerate(WORD_CLASSES.values()):
    for _word in _words:
        _CLASSES_OF.setdefault(_word, []).append(_number)
OF_WORDS = (
    *WORD_CLASSES,
    "letters of the longest word",
    "letters of the shortest word",
    "different words",
    "sum of numbers",
)
COUNTS = (
    *(f"{name} in {part}" for part in PARTS for name in CLASSES),
    *(f"{name} in {PARTS[0]}" for name in OF_WORDS),
)
"""What `counts` counts."""
SIZES = ("characters", "words")
MARKS = ("letters", "capitals", "digits", "punctuation marks", "spaces")
ORDERED = ("sentence", "own words", "first word", "last word", "own words from the end")
LAST = (".", "!", "?")


def _places(names: Iterable[str], parts: Iterable[str]) -> list[int]:
    return [COUNTS.index(f"{name} in {part}") for part in parts for name in names]


WHOLE = [i for i, name in enumerate(COUNTS) if name.endswith(f" in {PARTS[0]}")]
ANY = _places([*CLASSES[2:6], *CLASSES[7:], *WORD_CLASSES], PARTS[:1])
MIDDLES = [*WHOLE, *_places(SIZES, PARTS[1:3])]
PLAIN = [*_places((*SIZES, *MARKS), PARTS[:1]), *_places(SIZES, PARTS[1:4])]
# Place in `COUNTS`, divisor and rest.
_DIVIDED = [
    (place, divisor, rest)
    for divisor in range(2, 11)
    for place in [
        *_places(SIZES, (*PARTS[:4], *PARTS[7:])),
        *(_places(SIZES, PARTS[4:7]) + _places(MARKS[:4], PARTS[:4]) if divisor <= 3 else []),
    ]
    for rest in range(divisor == 2, divisor)
]
_ODD = _places((*SIZES, "letters"), PARTS[:3])

COMPARED = (
    *(f"more {name}" for name in COUNTS),
    *(f"{name} first in the alphabet" for name in ORDERED),
)
"""What `compared` compares."""
_LARGE = tuple(f"{COUNTS[i]} above the median" for i in MIDDLES)
_PRESENT = tuple(f"any {COUNTS[i]}" for i in ANY)
REMAINDERS = (
    *(f"{COUNTS[i]} modulo {divisor} is {rest}" for i, divisor, rest in _DIVIDED),
    *_LARGE,
    *_PRESENT,
)
"""The properties of a sentence alone."""
PROPERTIES = (
    *(f"odd {COUNTS[i]}" for i in _ODD),
    *_LARGE,
    *_PRESENT,
    *(f"“{mark}” at the end" for mark in LAST),
    "a comma before the blank",
    "a small letter at the start",
)
"""The properties of a sentence that are combined two by two."""


@dataclass(frozen=True)
class Numbers:
    """What is counted in the questions of some units.

    Parameters
    ----------
    counts : int (n_questions, n)
        As `COUNTS`, of all questions of the units in turn.
    ordered : int8 (n_units, n)
        As `ORDERED`: 1 if the first twin comes first, -1 if the second does; 0 if they are equal.
    marks : bool (n_questions, n)
        The last of `PROPERTIES`.
    own : int (n_questions, 2)
        The span of the words that the twin does not have.
    """

    counts: Ints
    ordered: Signs
    marks: NDArray[np.bool_]
    own: Ints

    @classmethod
    def of(cls, units: Sequence[Unit], characters: Characters) -> Numbers:
        """Count in units of equal size, given the characters of their sentences."""
        owns = [own for unit in units for own in _owns(unit)]
        questions = [question for unit in units for question in unit]
        spans = np.array([list(one.parts(own)) for one, own in zip(questions, owns, strict=True)])
        of_parts = characters.counts(spans).reshape(len(questions), -1)
        words = np.array(
            [_word_counts(question.sentence) for question in questions], dtype=np.int64
        )
        texts = [_texts(*pair) for pair in zip(questions, owns, strict=True)]
        ordered = [_order(*texts[i : i + 2]) for i in range(0, len(texts), len(units[0]))]
        marks = np.array([_marks(one) for one in questions], dtype=np.bool_)
        return cls(
            np.hstack([of_parts, words]), np.array(ordered, dtype=np.int8), marks, np.array(owns)
        )

    @property
    def compared(self) -> Signs:
        """Which twin has more, or comes first, as `COMPARED`: (n_units, n)."""
        more = np.sign(self.counts[0::2] - self.counts[1::2]).astype(np.int8)
        return np.hstack([more, self.ordered])

    def remainders(self, middles: Ints) -> Signs:
        """Return 1 and -1 for `REMAINDERS`, given the medians of `MIDDLES`: (n_questions, n)."""
        places, divisors, rests = np.array(_DIVIDED).T
        return _signs(self.counts[:, places] % divisors == rests, *self._flags(middles))

    def properties(self, middles: Ints) -> Signs:
        """Return 1 and -1 for `PROPERTIES`: (n_questions, n)."""
        return _signs(self.counts[:, _ODD] % 2 == 1, *self._flags(middles), self.marks)

    def _flags(self, middles: Ints) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        return self.counts[:, MIDDLES] > middles, self.counts[:, ANY] > 0


def _signs(*flags: NDArray[np.bool_]) -> Signs:
    return 2 * np.hstack(flags).astype(np.int8) - 1


def _owns(unit: Unit) -> Sequence[tuple[int, int]]:
    if len(unit) == 1:
        return (NOWHERE,)
    return own_words(unit[0].sentence, unit[1].sentence)


def _word_counts(sentence: str) -> list[int]:
    words = [word.strip(PUNCTUATION).lower() for word in sentence.split()]
    lengths = [len(word) for word in words if word and word != "_"] or [0]
    counts = [0] * len(WORD_CLASSES)
    for word in words:
        for number in _CLASSES_OF.get(word, ()):
            counts[number] += 1
    counts[0] += sentence.lower().replace("’", "'").count(NEGATION)
    return [*counts, max(lengths), min(lengths), len(set(words)), _sum_of_numbers(sentence)]


def _sum_of_numbers(sentence: str) -> int:
    return sum(int(digits[:DIGITS]) for digits in re.findall(r"[0-9]+", sentence))


def _texts(question: Question, own: tuple[int, int]) -> tuple[str, ...]:
    sentence = question.sentence
    words = sentence.split() or [""]
    part = sentence[own[0] : own[1]]
    return sentence, part, words[0], words[-1], part[::-1]


def _order(first: Sequence[str], second: Sequence[str] | None = None) -> list[int]:
    if second is None:
        return [0] * len(first)
    folded = ([text.casefold() for text in texts] for texts in (first, second))
    return [(one < other) - (one > other) for one, other in zip(*folded, strict=True)]


def _marks(question: Question) -> list[bool]:
    sentence = question.sentence.rstrip()
    before = sentence[: question.blank].rstrip()
    words = before.split(" ")
    return [
        *(sentence.endswith(mark) for mark in LAST),
        any(word.endswith(",") for word in words[-2:]),
        sentence.lstrip()[:1].islower(),
    ]
