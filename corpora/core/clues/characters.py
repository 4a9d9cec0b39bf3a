"""Characters of many texts at once: classes of them, and runs of one to three."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

# Beyond Unicode's characters, and together below 2^21, so that three codes have room in 63 bits.
START, END = 0x110000, 0x110001
UPPER, LOWER, DIGIT, OTHER_LETTER = 0x110010, 0x110011, 0x110012, 0x110013
BITS = 21
SHOWN = {START: "⟨", END: "⟩", UPPER: "A", LOWER: "a", DIGIT: "0", OTHER_LETTER: "x"}
LONG = 8  # letters of a long word
LONGEST = 3  # run
QUOTES = "\"'`´‘’‚‛“”„‟«»‹›"


def _category(letters: str) -> Callable[[str], bool]:
    return lambda character: unicodedata.category(character)[0] in letters


SINGLE: Mapping[str, Callable[[str], bool]] = {
    "characters": lambda character: True,
    "letters": str.isalpha,
    "capitals": str.isupper,
    "digits": str.isnumeric,
    "punctuation marks": _category("P"),
    "symbols": _category("S"),
    "spaces": str.isspace,
    "invisible or combining characters": _category("MC"),
    "characters beyond ASCII": lambda character: not character.isascii(),
    "quotation marks": lambda character: character in QUOTES,
    "hyphens and dashes": lambda character: unicodedata.category(character) == "Pd",
    "commas, colons and semicolons": lambda character: character in ",;:",
    "ends of sentences": lambda character: character in ".!?…",
}
IN_CONTEXT = (
    "words",
    "words with a capital",
    "words in capitals",
    "long words",
    "doubled characters",
)
CLASSES = (*SINGLE, *IN_CONTEXT)
"""What is counted."""


@lru_cache(maxsize=4096)
def _flags(code: int) -> tuple[bool, ...]:
    return tuple(test(chr(code)) for test in SINGLE.values())


@lru_cache(maxsize=4096)
def _shape(code: int) -> int:
    if code >= START:
        return code
    character = chr(code)
    if character.isupper():
        return UPPER
    if character.islower():
        return LOWER
    if character.isnumeric():
        return DIGIT
    return OTHER_LETTER if character.isalpha() else code


@dataclass(frozen=True)
class Characters:
    """Texts one behind the other, each between marks of its start and its end.

    Parameters
    ----------
    codes : int (n,)
        Of Unicode, and those above.
    of_text : int (n,)
        Which text each belongs to.
    starts : int (n_texts,)
        Where the first character of each is.
    """

    codes: Ints
    of_text: Ints
    starts: Ints

    @classmethod
    def of(cls, texts: Sequence[str]) -> Characters:
        """Put texts one behind the other."""
        lengths = np.array([len(text) for text in texts], dtype=np.int64)
        starts = np.cumsum(lengths + 2) - lengths - 1
        codes = np.empty(int(lengths.sum()) + 2 * len(texts), dtype=np.int64)
        codes[starts - 1], codes[starts + lengths] = START, END
        inside = np.ones(len(codes), dtype=np.bool_)
        inside[starts - 1] = inside[starts + lengths] = False
        joined = "".join(texts).encode("utf-32-le", "surrogatepass")
        codes[inside] = np.frombuffer(joined, dtype=np.uint32)
        return cls(codes, np.repeat(np.arange(len(texts)), lengths + 2), starts)

    @cached_property
    def _sums(self) -> Ints:
        """How many characters of each class are before each place: (n_classes, n + 1)."""
        found, inverse = np.unique(self.codes, return_inverse=True)
        nothing = (False,) * len(SINGLE)
        table = np.array([_flags(code) if code < START else nothing for code in found.tolist()])
        single = table.reshape(len(found), len(SINGLE)).T[:, inverse]  # (n_single, n)
        flags = np.vstack([single, *self._in_context(single)])
        sums = np.zeros((len(flags), len(self.codes) + 1), dtype=np.int64)
        np.cumsum(flags, axis=1, out=sums[:, 1:])
        return sums

    def _in_context(self, single: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        names = list(SINGLE)
        space, capital = (single[names.index(name)] for name in ("spaces", "capitals"))
        inside = self.codes < START
        before = np.roll(~inside | space, 1)
        first = inside & ~space & before
        number = np.arange(len(self.codes))
        in_word = number - np.maximum.accumulate(np.where(before, number, 0))
        return [
            first,
            first & capital,
            capital & (in_word == 1) & np.roll(first & capital, 1),
            inside & ~space & (in_word == LONG - 1),
            inside & (self.codes == np.roll(self.codes, 1)),
        ]

    def counts(self, spans: Ints) -> Ints:
        """Return how many characters of each class are in spans of the texts.

        Parameters
        ----------
        spans : int (n_texts, n_parts, 2)

        Returns
        -------
        int (n_texts, n_parts, n_classes)
        """
        places = self.starts[:, None, None] + spans
        sums = self._sums[:, places[:, :, 1]] - self._sums[:, places[:, :, 0]]
        return np.moveaxis(sums, 0, 2)

    @cached_property
    def shapes(self) -> Characters:
        """The texts with letters and digits replaced by their kind, and runs of one kind by one."""
        found, inverse = np.unique(self.codes, return_inverse=True)
        codes = np.array([_shape(code) for code in found.tolist()], dtype=np.int64)[inverse]
        is_start = ~((codes == np.roll(codes, 1)) & (codes >= UPPER))
        return Characters(codes[is_start], self.of_text[is_start], np.empty(0, np.int64))

    def runs(self, spans: Ints | None = None) -> tuple[Ints, Ints]:
        """Return the texts and the keys of all runs of up to three characters.

        Parameters
        ----------
        spans : int (n_texts, 2), optional
            Only runs that are in part in this span of the text, or beside it.
        """
        wanted = np.ones(len(self.codes), dtype=np.bool_)
        if spans is not None:
            place = np.arange(len(self.codes)) - self.starts[self.of_text]
            low, high = spans[self.of_text].T
            wanted = (place >= low - LONGEST + 1) & (place <= high)
        texts, keys, key = [], [], np.zeros(len(self.codes), dtype=np.int64)
        for length in range(1, LONGEST + 1):
            n = max(0, len(self.codes) - length + 1)
            key = (key[:n] << BITS) | (self.codes[length - 1 :] + 1)
            is_match = wanted[:n] & (self.of_text[:n] == self.of_text[length - 1 :])
            texts.append(self.of_text[:n][is_match])
            keys.append(key[is_match])
        return np.concatenate(texts), np.concatenate(keys)


def text_of(key: int) -> str:
    """Return the run that a key stands for."""
    codes = []
    while key:
        codes.append((key & (1 << BITS) - 1) - 1)
        key >>= BITS
    return "".join(map(_visible_code, reversed(codes)))


def printable(text: str) -> str:
    """Return a text with the codes of characters that would not be seen, or taken for another."""
    return "".join(map(_visible_code, map(ord, text)))


def _visible_code(code: int) -> str:
    if code >= START:
        return SHOWN.get(code, "")
    char = chr(code)
    return char if char.isprintable() and char.isascii() else f"{_visible(char)}U+{code:04X}"


def _visible(char: str) -> str:
    return f"{char} " if char.isalpha() or unicodedata.category(char)[0] in "PS" else ""
