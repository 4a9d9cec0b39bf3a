"""Sentences of published schemas, known by hashes only: no text of others is in this repository.

The file has one hash for each different question of WSC273 and of WinoGrande 1.1 (train_xl, dev and
test); ``manage.py index_published`` makes it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from collection.core.matching import fold

WIDTH = 5
"""Bytes of a hash. Of a million new sentences, 0.04 are expected to have the hash of one of 43,000
published ones."""
FILE = Path(__file__).parent / "published.bin"
_DETERMINERS = frozenset(
    {
        *("the", "a", "an", "this", "that"),
        *("his", "her", "its", "their", "my", "our", "your"),
    }
)
_OPTION = "#"


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation; a blank is a word.

    >>> plain_words("The cup's on the _ , isn't it?")
    ['the', 'cup', 's', 'on', 'the', '_', 'isn', 't', 'it']
    """
    folded = fold(text)
    return "".join(char if char.isalnum() or char == "_" else " " for char in folded).split()


def schema_hash(sentence: str, options: Sequence[str]) -> bytes:
    """Return what a question shares with its copies, also with those that change the options.

    Case, punctuation, and the options and their articles make no difference.

    >>> one = schema_hash("The cup hit the jar, so _ broke.", ("The cup", "the jar"))
    >>> one == schema_hash("the mug hit the box so _ broke", ("mug", "box"))
    True
    """
    words = plain_words(sentence)
    for option in sorted(map(_core_of, options), key=len, reverse=True):
        words = list(_masked(words, option))
    return hashlib.blake2b(" ".join(words).encode(), digest_size=WIDTH).digest()


def _core_of(option: str) -> list[str]:
    words = plain_words(option)
    while len(words) > 1 and words[0] in _DETERMINERS:
        words = words[1:]
    return words


def _masked(words: Sequence[str], option: Sequence[str]) -> Iterable[str]:
    """Yield words with each occurrence of an option, and its article, as one mark."""
    at, length = 0, len(option)
    masked_words: list[str] = []
    while at < len(words):
        if length and list(words[at : at + length]) == option:
            if masked_words and masked_words[-1] in _DETERMINERS:
                masked_words.pop()
            masked_words.append(_OPTION)
            at += length
        else:
            masked_words.append(words[at])
            at += 1
    return masked_words


def made_index(questions: Iterable[tuple[str, Sequence[str]]]) -> bytes:
    """Return the file of an index: the questions' hashes, sorted, each once."""
    return b"".join(sorted({schema_hash(sentence, options) for sentence, options in questions}))


@cache
def shipped_index() -> bytes:
    return FILE.read_bytes()


def is_published(sentence: str, options: Sequence[str], *, index: bytes | None = None) -> bool:
    """Return whether a published question has this sentence, by its hash in *index*."""
    published = shipped_index() if index is None else index
    wanted = schema_hash(sentence, options)
    low, high = 0, len(published) // WIDTH
    while low < high:
        middle = (low + high) // 2
        if published[middle * WIDTH : (middle + 1) * WIDTH] < wanted:
            low = middle + 1
        else:
            high = middle
    return published[low * WIDTH : (low + 1) * WIDTH] == wanted


def runs_of(texts: Iterable[str], length: int) -> frozenset[tuple[str, ...]]:
    """Return every run of *length* consecutive words in texts."""
    return frozenset(chain.from_iterable(runs(plain_words(text), length) for text in texts))


def runs(words: Sequence[str], length: int) -> Iterable[tuple[str, ...]]:
    return (tuple(words[at : at + length]) for at in range(len(words) - length + 1))
