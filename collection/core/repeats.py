"""Fingerprints of twins, and questions that repeat another one."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray


def fingerprint(sentences: tuple[str, str]) -> str:
    """Return a hash of a pair of sentences that ignores order, case and width of white space.

    Parameters
    ----------
    sentences : (str, str)

    Returns
    -------
    str
        SHA-256 in hex, 64 characters.

    >>> fingerprint(("A  cup.", "A jar.")) == fingerprint(("a jar.", "A cup."))
    True
    """
    folded = sorted(" ".join(sentence.casefold().split()) for sentence in sentences)
    return hashlib.sha256("\n".join(folded).encode("utf-8", "surrogatepass")).hexdigest()


UInt64s = NDArray[np.uint64]
Bools = NDArray[np.bool_]

UNKNOWN = 0
"""The key of an unknown answer."""
_APOSTROPHES, _QUOTES, _DASHES = "‘’‚‛′`´", "“”„‟″«»", "‐‑‒–—―−"
_TYPED = {
    ord(mark): plain
    for marks, plain in ((_APOSTROPHES, "'"), (_QUOTES, '"'), (_DASHES, "-"))
    for mark in marks
}
_GAP_AT_MARK = re.compile(r" (?=[^\w\s])|(?<=[^\w\s]) ")


def typed_alike(text: str) -> str:
    """Return what all ways of typing a text have in common for a reader.

    Case, the width of white space, gaps beside punctuation, forms of quotation marks and dashes,
    Unicode's compatible forms (NFKC), invisible characters and a full stop at the end make no
    difference. Other punctuation, accents and the borders of words do.

    Examples
    --------
    >>> typed_alike(" The cup’s  on  the tray , so _ fell.")
    "the cup's on the tray,so _ fell"
    """
    if not text.isascii():
        # Before, since "´" becomes a space and an accent; after, since "‴" becomes three primes.
        text = unicodedata.normalize("NFKC", text.translate(_TYPED)).translate(_TYPED)
        text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    words = " ".join(text.lower().split())
    # A gap before an accent of its own is gone now, so that the two can be one character.
    return unicodedata.normalize("NFC", _GAP_AT_MARK.sub("", words)).rstrip(".")


_option_typed_alike = lru_cache(maxsize=2_000)(typed_alike)  # twins have the same, names recur


def repeat_key(*texts: str, options: Sequence[str]) -> int:
    """Return a key of 64 bits that a question shares with its repeats.

    Parameters
    ----------
    texts : str
        The sentence, with all other text of the question.
    options : sequence of str
        In any order.

    Returns
    -------
    int
        Different questions have the same key with probability 1 in 30 million for a million
        questions.

    Examples
    --------
    >>> one = repeat_key("The cup hit the jar, so _ broke.", options=("the cup", "the jar"))
    >>> one == repeat_key("the cup hit the jar,  so _ broke", options=("The jar", "the cup"))
    True
    """
    parts = [*map(typed_alike, texts), *sorted(map(_option_typed_alike, options))]
    return _hashed("\0".join(parts))


def answer_key(option: str) -> int:
    """Return a key of the right option, the same for all ways of typing it; never `UNKNOWN`."""
    return _hashed(_option_typed_alike(option)) or 1


def _hashed(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest)


@dataclass(frozen=True, slots=True)
class Repeats:
    """How many questions repeat another one.

    Parameters
    ----------
    questions : int
        All of them.
    repeated : int
        Questions whose sentence and options another one has.
    same_answer, other_answer : int
        Of these, those of which another one has the same answer, or a different one. A question
        may be among both.
    """

    questions: int
    repeated: int
    same_answer: int
    other_answer: int

    @property
    def sentence(self) -> str:
        """What was found, for the API, commands and warnings."""
        if not self.repeated:
            return (
                f"None of {self.questions:,} questions repeats another one: the same sentence and "
                "options, apart from case, spaces and forms of punctuation marks. Reworded "
                "questions were not looked for."
            )
        return (
            f"{self.repeated:,} of {self.questions:,} questions repeat another one: "
            f"{self.same_answer:,} with the same answer, {self.other_answer:,} with the other. "
            "A model that knows one of them can answer the others by comparing texts, which linear "
            "models do not show."
        )

    def warning(self, noun: str = "questions") -> str:
        """Return what an import says of contradictory repeats; empty if there are none."""
        if not self.other_answer:
            return ""
        return (
            f"{self.other_answer:,} of {self.questions:,} {noun} contradict another one: it has "
            "the same text and options, and a different answer."
        )


def count_repeats(keys: UInt64s, answers: UInt64s) -> Repeats:
    """Count the questions that repeat another one, in all and by answer.

    Parameters
    ----------
    keys : uint64 (n,)
        `repeat_key` of each question.
    answers : uint64 (n,)
        `answer_key` of its right option, or `UNKNOWN`, which is neither the same nor different.

    Notes
    -----
    Sorts, so time grows with n log n (10 ms for 50,000 questions), and memory with n.

    Examples
    --------
    >>> keys, answers = np.array([7, 7, 7, 8], np.uint64), np.array([1, 1, 2, 1], np.uint64)
    >>> count_repeats(keys, answers)
    Repeats(questions=4, repeated=3, same_answer=2, other_answer=3)
    """
    _, of_key, in_key = np.unique(keys, return_inverse=True, return_counts=True)
    kinds, of_answer = np.unique(answers, return_inverse=True)
    both = of_key * len(kinds) + of_answer
    _, of_both, in_both = np.unique(both, return_inverse=True, return_counts=True)
    is_known = answers != UNKNOWN
    known_in_key = np.bincount(of_key[is_known], minlength=len(in_key))
    alike = in_both[of_both]
    return Repeats(
        questions=len(keys),
        repeated=int((in_key[of_key] > 1).sum()),
        same_answer=int((is_known & (alike > 1)).sum()),
        other_answer=int((is_known & (known_in_key[of_key] > alike)).sum()),
    )


def later_copies(keys: UInt64s, groups: UInt64s) -> Bools:
    """Return which questions to leave out, so that no group repeats a question of another one.

    Parameters
    ----------
    keys, groups : uint64 (n,)
        `repeat_key` of each question, and a key of its group.

    Returns
    -------
    bool (n,)
        Groups are left out as a whole if one of their questions repeats one of a group that stays.
        Larger groups go before smaller ones, and else the order of the keys of the groups decides,
        which tells nothing about the answers. The order of the questions does not matter.

    Examples
    --------
    >>> keys = np.array([5, 5, 6, 7], np.uint64)
    >>> later_copies(keys, np.array([1, 2, 2, 3], np.uint64)).tolist()
    [True, False, False, False]
    """
    units, of_row, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    _, of_key, in_key = np.unique(keys, return_inverse=True, return_counts=True)
    rows = np.flatnonzero(in_key[of_key] > 1)
    rows = rows[np.lexsort((of_row[rows], -sizes[of_row[rows]]))]
    gone, taken = np.zeros(len(units), dtype=bool), set[int]()
    for unit, same in groupby(rows.tolist(), key=of_row.__getitem__):
        own = {int(of_key[row]) for row in same}
        gone[unit] = not own.isdisjoint(taken)
        if not gone[unit]:
            taken |= own
    return np.asarray(gone[of_row])


class RepeatTable:
    """The keys of questions that are read one by one; 24 bytes each."""

    def __init__(self) -> None:
        self._keys, self._answers, self._groups = (array("Q") for _ in range(3))

    def add(self, *texts: str, options: Sequence[str], answer: int | None, group: str = "") -> None:
        """Add a question; *answer* is the number of its right option, from 1, None if unknown."""
        self._keys.append(repeat_key(*texts, options=options))
        self._answers.append(UNKNOWN if answer is None else answer_key(options[answer - 1]))
        self._groups.append(_hashed(group))

    def __len__(self) -> int:
        return len(self._keys)

    def count(self, among: Bools | None = None) -> Repeats:
        """Count the repeats, of all questions or *among* some (n,)."""
        keys, answers = _column(self._keys), _column(self._answers)
        return count_repeats(*((keys, answers) if among is None else (keys[among], answers[among])))

    def across_groups(self) -> int:
        """Return how many questions repeat one of another group."""
        keys, groups = _column(self._keys), _column(self._groups)
        _, of_key = np.unique(keys, return_inverse=True)
        kinds, of_group = np.unique(groups, return_inverse=True)
        pairs = np.unique(of_key * max(len(kinds), 1) + of_group)
        n_groups = np.bincount(pairs // max(len(kinds), 1), minlength=1)
        return int((n_groups[of_key] > 1).sum())

    def later_copies(self) -> Bools:
        """Return the `later_copies` (n,)."""
        return later_copies(_column(self._keys), _column(self._groups))


def _column(values: array[int]) -> UInt64s:
    return np.frombuffer(values, dtype=np.uint64) if values else np.zeros(0, dtype=np.uint64)
