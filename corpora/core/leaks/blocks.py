"""Blocks of units as arrays of what the clues say."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from corpora.core.leaks.clues import Clue, first_of_pair
from corpora.core.leaks.files import PlacedRow, Unit

Signs = NDArray[np.int8]
Codes = NDArray[np.uint8]
Ints = NDArray[np.int64]

BASE_LENGTH = 30
BITS = 6  # letters and digits differ in these bits of their ASCII codes
FIRST_BLOCK, LARGEST_BLOCK = 50, 1000


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive units.

    Parameters
    ----------
    labels : int8 (n_units,)
        1 if the answer of the unit's first row is option 1, else -1.
    signs : int8 (n_rows, n_clues)
        What each clue says.
    letters : uint8 (n_rows, 30)
        The characters of the bases of ids, modulo 64; 0 beyond their end.
    order : int8 (n_rows,)
        See `first_of_pair`.
    first : int (n_units,)
        The first row of each unit.
    paired : bool (n_units,)
        Whether the row that follows is its twin.
    units : sequence of Unit
    """

    labels: Signs
    signs: Signs
    letters: Codes
    order: Signs
    first: Ints
    paired: NDArray[np.bool_]
    units: Sequence[Unit]

    def throws(self, said: Signs) -> Signs:
        """Return what clues (n_rows, m) say about the first row of each unit: (n_units, m).

        Twins answer oppositely: a clue that says the same of both says nothing about a pair.
        """
        of_unit = said[self.first]
        pairs = self.first[self.paired]
        of_unit[self.paired] = np.sign(said[pairs] - said[pairs + 1])
        return of_unit

    def row_labels(self) -> Signs:
        """Return 1 for rows whose answer is option 1, else -1: (n_rows,)."""
        labels = np.empty(len(self.order), dtype=np.int8)
        labels[self.first] = self.labels
        labels[self.first[self.paired] + 1] = -self.labels[self.paired]
        return labels


def blocks(found: Iterable[Unit], clues: Sequence[Clue]) -> Iterator[Block]:
    """Yield units as blocks whose sizes depend only on the number of units before them.

    Raises
    ------
    ValueError
        When twins have the same answer, or an id is too long.
    """
    stream, done = iter(found), 0
    while part := list(islice(stream, min(LARGEST_BLOCK, max(FIRST_BLOCK, done // 10)))):
        done += len(part)
        yield _block(part, clues)


def _block(part: Sequence[Unit], clues: Sequence[Clue]) -> Block:
    rows = [(row, twin) for unit in part for row, twin in _with_twins(unit)]
    sizes = np.array([len(unit) for unit in part])
    says = [clue.says for clue in clues]
    signs = np.fromiter(
        chain.from_iterable([say(row, twin) for say in says] for row, twin in rows),
        dtype=np.int8,
        count=len(rows) * len(says),
    )
    return Block(
        labels=np.array([1 if unit[0].answer == 1 else -1 for unit in part], dtype=np.int8),
        signs=signs.reshape(len(rows), len(says)),
        letters=_letters([row.base for row, _ in rows]),
        order=np.array([first_of_pair(row, twin) for row, twin in rows], dtype=np.int8),
        first=np.cumsum(sizes) - sizes,
        paired=sizes == 2,
        units=part,
    )


def _with_twins(unit: Unit) -> list[tuple[PlacedRow, PlacedRow | None]]:
    if len(unit) == 1:
        return [(unit[0], None)]
    first, second = unit
    if first.answer == second.answer:
        # Without the answer: the message is logged, and it may be a blind one.
        raise ValueError(f"twins must have opposite answers, got equal ones for {first.base!r}")
    return [(first, second), (second, first)]


def _letters(bases: Sequence[str]) -> Codes:
    longest = max(bases, key=len)
    if len(longest) > BASE_LENGTH:
        raise ValueError(f"an id must have at most {BASE_LENGTH} characters, got {longest!r}")
    array = np.array([base.encode("ascii", "replace") for base in bases], dtype=f"S{BASE_LENGTH}")
    return array.view(np.uint8).reshape(len(bases), BASE_LENGTH) % 64


def letter_names() -> list[str]:
    """Return the names of the columns of `letter_signs`."""
    return [f"bit {b} of character {i + 1} of qID" for i in range(BASE_LENGTH) for b in range(BITS)]


def letter_signs(letters: Codes) -> Signs:
    """Return the bits of characters as 1 and -1: (n_rows, 30 * 6)."""
    bits = letters[:, :, None] >> np.arange(BITS, dtype=np.uint8) & 1
    return (2 * bits.astype(np.int8) - 1).reshape(len(letters), -1)
