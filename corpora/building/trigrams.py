"""The trigrams of all questions' content words, on disk, and the questions that share many."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from corpora.building.tables import fetch
from corpora.core.similar_sets import Ints, Sets, Tokens, sets_of, similar_pairs

PAGE, PAGES_IN_BLOCK, CHUNK = 5_000, 4, 20_000
SEPARATOR = ","  # trigrams consist of letters, digits and spaces
_PAGE = f"""
SELECT q.id, q.twin_id, b.twin IS NOT NULL,
    array_to_string(show_trgm(collection_content_words(q.sentence)), '{SEPARATOR}')
FROM collection_question q LEFT JOIN planned_secret b ON b.twin = q.twin_id
WHERE q.id > %s ORDER BY q.id LIMIT {PAGE}
"""


@dataclass(frozen=True, slots=True)
class Block:
    """Some questions.

    Parameters
    ----------
    questions, twins : int64 (n,)
        Their primary keys.
    secret : bool (n,)
        Whether the twin is blind.
    sizes : int64 (n,)
        How many trigrams each has.
    tokens : int32 (sum of sizes,)
        The trigrams, by number, question by question.
    """

    questions: Ints
    twins: Ints
    secret: NDArray[np.bool_]
    sizes: Ints
    tokens: Tokens

    def only_secret(self) -> "Block":
        return Block(
            self.questions[self.secret],
            self.twins[self.secret],
            self.secret[self.secret],
            self.sizes[self.secret],
            self.tokens[np.repeat(self.secret, self.sizes)],
        )

    def save(self, file: IO[bytes]) -> None:
        for part in self._parts():
            np.save(file, part, allow_pickle=False)

    @classmethod
    def load(cls, file: IO[bytes]) -> "Block":
        return cls(*(np.load(file, allow_pickle=False) for _ in range(5)))

    @classmethod
    def joined(cls, blocks: Iterable["Block"]) -> "Block":
        columns = zip(*(block._parts() for block in blocks), strict=True)
        return cls(*map(np.concatenate, columns))

    def _parts(self) -> list[NDArray[Any]]:
        return [self.questions, self.twins, self.secret, self.sizes, self.tokens]


@dataclass(slots=True)
class Trigrams:
    """Blocks of questions on disk; memory holds one of them, and the number of each trigram."""

    file: IO[bytes]
    places: list[int] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    counts: Counter[int] = field(default_factory=Counter)

    def blocks(self) -> Iterator[Block]:
        """Read the blocks, which several readers may do at once."""
        for place in self.places:
            self.file.seek(place)
            yield Block.load(self.file)

    def secret(self) -> Iterator[Block]:
        """Yield the blind questions, about `CHUNK` at once."""
        waiting: list[Block] = []
        for block in self.blocks():
            waiting.append(block.only_secret())
            if sum(len(part.questions) for part in waiting) >= CHUNK:
                yield Block.joined(waiting)
                waiting = []
        if any(len(part.questions) for part in waiting):
            yield Block.joined(waiting)

    def ranks(self) -> Tokens:
        """Return the rank of each trigram, the rarest first."""
        counts = np.array([self.counts[number] for number in range(len(self.numbers))])
        ranks = np.empty(len(counts), dtype=np.int32)
        ranks[np.argsort(counts, kind="stable")] = np.arange(len(counts), dtype=np.int32)
        return ranks

    def add(self, rows: Iterable[tuple[int, int, bool, str]]) -> Block:
        """Number the trigrams of questions."""
        questions, twins, secret, texts = zip(*rows, strict=True)
        words = [text.split(SEPARATOR) if text else [] for text in texts]
        numbers = self.numbers
        numbered = [numbers.setdefault(word, len(numbers)) for word in chain.from_iterable(words)]
        self.counts.update(numbered)
        return Block(
            np.array(questions, dtype=np.int64),
            np.array(twins, dtype=np.int64),
            np.array(secret, dtype=np.bool_),
            np.array([len(words_of_text) for words_of_text in words], dtype=np.int64),
            np.array(numbered, dtype=np.int32),
        )


@contextmanager
def all_trigrams(*, progress: Callable[[int], None]) -> Iterator[Trigrams]:
    """Store the trigrams of all questions; the file lives as long as the block.

    Twins in ``planned_secret`` are blind. *progress* is given the number of questions read.
    """
    with tempfile.TemporaryFile() as file:
        stored, waiting, read = Trigrams(file), [], 0
        for rows in _pages():
            waiting.append(stored.add(rows))
            read += len(rows)
            if len(waiting) == PAGES_IN_BLOCK:
                _store(stored, waiting)
                progress(read)
        _store(stored, waiting)
        yield stored


def similar_questions(
    stored: Trigrams, *, threshold: float, progress: Callable[[int], None]
) -> Iterator[tuple[Ints, Ints]]:
    """Yield the twins of blind questions and the questions of other twins that are similar.

    *progress* is given the number of blind questions that are being compared, again and again.
    """
    ranks, done = stored.ranks(), 0
    for secret in stored.secret():
        done += len(secret.questions)
        left = _arranged(secret, ranks)
        for block in stored.blocks():
            progress(done)
            for i, j in similar_pairs(left, _arranged(block, ranks), threshold=threshold):
                others = secret.twins[i] != block.twins[j]
                if others.any():
                    yield secret.twins[i][others], block.questions[j][others]


def _arranged(block: Block, ranks: Tokens) -> Sets:
    return sets_of(np.arange(len(block.questions)), block.sizes, ranks[block.tokens])


def _pages() -> Iterator[list[tuple[Any, ...]]]:
    after = -1
    while page := fetch(_PAGE, [after]):
        yield page
        after = page[-1][0]


def _store(stored: Trigrams, waiting: list[Block]) -> None:
    if waiting:
        stored.places.append(stored.file.tell())
        Block.joined(waiting).save(stored.file)
        waiting.clear()
