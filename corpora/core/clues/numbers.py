"""Numbers of a sentence, and what is compared and combined of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        "pronouns": "i you he she it we they me him her us them who whom himself herself itself",
        "possessives": "my your his her its our their mine yours hers ours theirs whose",
        "articles": "a an the",
        "auxiliaries": "am is are was were be been being has have had do does did",
        "modal verbs": "can could may might must shall should will would ought",
        "connectives": "because since so but although though while whereas however therefore and or",
        "prepositions": "of in on at by for with from to into onto over under after before about",
        "quantities": "all every each some any many much more most few less least several both only",
    }.items()
}
NEGATION = "n't"
_CLASSES_OF: dict[str, list[int]] = {}
for _number, _words in enumerate(WORD_CLASSES.values()):
    for _word in _words:
        _CLASSES_OF.setdefault(_word, []).append(_number)
OF_WORDS = (
    *WORD_CLASSES,
    "letters of the longest word",
    "letters of the shortest word",
    "different words",
)
COUNTS = tuple(f"{name} in {part}" for part in PARTS for name in CLASSES) + tuple(
    f"{name} in the sentence" for name in OF_WORDS
)
"""What `counts` counts."""

# Of these there is the rest of a division.
SIZES = ("characters", "letters", "words", "punctuation marks", "capitals")
DIVISORS = (2, 3, 4, 5, 7)
ORDERED = ("sentence", "own words", "first word", "last word", "own words from the end")


def _places(names: Sequence[str], parts: Sequence[str] = PARTS) -> list[int]:
    return [COUNTS.index(f"{name} in {part}") for part in parts for name in names]


WHOLE = [i for i, name in enumerate(COUNTS) if name.endswith(f" in {PARTS[0]}")]
RARE = [i for i in WHOLE if COUNTS[i].split(" in ")[0] not in ("characters", "letters", "words")]
DIVIDED = _places(SIZES)
MIDDLES = [*WHOLE, *_places(("characters", "words"), PARTS[1:3])]
PLAIN = [*_places(("characters", "words", "letters", "capitals", "digits", "punctuation marks", "spaces"), PARTS[:1]), *_places(("characters", "words"), PARTS[1:4])]  # fmt: skip

COMPARED = (
    *(f"more {name}" for name in COUNTS),
    *(f"{name} first in the alphabet" for name in ORDERED),
)
"""What `compared` compares."""
REMAINDERS = (
    *(
        f"{COUNTS[i]} modulo {m} is {rest}"
        for i in DIVIDED
        for m in DIVISORS
        for rest in ((1,) if m == 2 else range(m))
    ),
    *(f"{COUNTS[i]} above the median" for i in MIDDLES),
    *(f"any {COUNTS[i]}" for i in RARE),
)
"""The properties of a sentence alone."""
FINAL = (".", "!", "?")
PROPERTIES = (
    *(f"any {COUNTS[i]}" for i in RARE),
    *(f"{COUNTS[i]} above the median" for i in MIDDLES),
    *(f"odd {COUNTS[i]}" for i in _places(("characters", "words", "letters"), PARTS[:3])),
    *(f"“{mark}” at the end" for mark in FINAL),
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
        words = np.array([_word_counts(one.sentence) for one in questions], dtype=np.int64)
        texts = [_texts(*one) for one in zip(questions, owns, strict=True)]
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
        sizes = self.counts[:, DIVIDED]
        rests = np.stack(
            [
                sizes % m == rest
                for m in DIVISORS
                for rest in ((1,) if m == 2 else range(m))
            ],
            axis=2,
        )  # fmt: skip
        flags = [rests.reshape(len(sizes), -1), self.counts[:, MIDDLES] > middles]
        return _signs(*flags, self.counts[:, RARE] > 0)

    def properties(self, middles: Ints) -> Signs:
        """Return 1 and -1 for `PROPERTIES`: (n_questions, n)."""
        odd = self.counts[:, _ODD] % 2 == 1
        above = self.counts[:, MIDDLES] > middles
        return _signs(self.counts[:, RARE] > 0, above, odd, self.marks)


_ODD = _places(("characters", "words", "letters"), PARTS[:3])


def _signs(*flags: NDArray[np.bool_]) -> Signs:
    return 2 * np.hstack(flags).astype(np.int8) - 1


def _owns(unit: Unit) -> Sequence[tuple[int, int]]:
    if len(unit) == 1:
        return (NOWHERE,)
    return own_words(unit[0].sentence, unit[1].sentence)


def _word_counts(sentence: str) -> list[int]:
    words = [word.strip(PUNCTUATION).lower() for word in sentence.split()]
    lengths = [len(word) for word in words if word and word != "_"] or [0]
    known = [0] * len(WORD_CLASSES)
    for word in words:
        for number in _CLASSES_OF.get(word, ()):
            known[number] += 1
    known[0] += sentence.lower().replace("’", "'").count(NEGATION)
    return [*known, max(lengths), min(lengths), len(set(words))]


def _texts(question: Question, own: tuple[int, int]) -> tuple[str, ...]:
    sentence = question.sentence
    words = sentence.split() or [""]
    part = sentence[own[0] : own[1]]
    return sentence, part, words[0], words[-1], part[::-1]


def _order(first: Sequence[str], second: Sequence[str] | None = None) -> list[int]:
    if second is None:
        return [0] * len(first)
    pairs = zip(first, second, strict=True)
    return [(one.casefold() < other.casefold()) - (one.casefold() > other.casefold()) for one, other in pairs]  # fmt: skip


def _marks(question: Question) -> list[bool]:
    sentence = question.sentence.rstrip()
    before = sentence[: question.blank].rstrip()
    words = before.split(" ")
    return [
        *(sentence.endswith(mark) for mark in FINAL),
        any(word.endswith(",") for word in words[-2:]),
        sentence.lstrip()[:1].islower(),
    ]
