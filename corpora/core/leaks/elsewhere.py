"""Clues about a question from the files of other releases, where its sentence is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from corpora.core.leaks.clues import Clue, Twin, first_of_pair
from corpora.core.leaks.files import PlacedRow, PublishedFile, units
from corpora.core.leaks.lookup import Lookup

# What is remembered of a row beside its place, each 1, 0 or -1.
SIGNS: dict[str, Callable[[PlacedRow, Twin], int]] = {
    "order of options": lambda row, _: _order(row),
    "ending of qID": lambda row, _: 1 if row.ending == "1" else -1,
    "first row of its pair": first_of_pair,
    "twin in the split": lambda _, twin: 1 if twin else -1,
    "odd line": lambda row, _: 1 if row.line % 2 else -1,
    "bit 0 of the row's SHA-256": lambda row, _: 1 if row.hash_byte & 1 else -1,
}
ORDER = 0  # the first of them
SIGN_BITS, SIGN = 2, 0b11
OF_SIGNS = SIGN_BITS * len(SIGNS)
PARTS = 1 << 20  # of a file, to which places are rounded


def _order(row: PlacedRow) -> int:
    first, second = row.options
    return (first < second) - (first > second)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A release by the sentences of its rows.

    Parameters
    ----------
    release : str
    rows : Lookup
        One number: the place in the split as a part of `PARTS`, above the signs of `SIGNS` plus 1,
        of `SIGN_BITS` each. So memory holds 16 bytes for each row.
    """

    release: str
    rows: Lookup

    @classmethod
    def of(cls, release: str, files: Sequence[PublishedFile]) -> Elsewhere:
        """Read the files of a release."""
        return cls(release, Lookup.of(_remembered(files), width=1))

    def sign(self, row: PlacedRow, number: int) -> int:
        """Return a sign of the row with the same sentence; 0 if there is none."""
        there = self.rows.get(row.sentence_key)
        return (there[0] >> number * SIGN_BITS & SIGN) - 1 if there else 0

    def is_later(self, row: PlacedRow) -> int:
        """Return 1 if the sentence's place is later there than here, -1 if not, 0 if absent."""
        there = self.rows.get(row.sentence_key)
        return (1 if there[0] >> OF_SIGNS > _place(row) else -1) if there else 0

    def has(self, row: PlacedRow) -> int:
        """Return 1 if the sentence is in the release, else -1."""
        return 1 if self.rows.get(row.sentence_key) else -1

    @property
    def clues(self) -> list[Clue]:
        """The clues of this release for rows of another."""
        return [
            Clue(f"in {self.release}", lambda row, _: self.has(row)),
            Clue(f"later place in {self.release}", lambda row, _: self.is_later(row)),
            *(self._sign_clue(number, name) for number, name in enumerate(SIGNS)),
        ]

    def _sign_clue(self, number: int, name: str) -> Clue:
        return Clue(f"{name} in {self.release}", lambda row, _: self.sign(row, number))


def clues_elsewhere(others: Sequence[Elsewhere]) -> list[Clue]:
    """Return the clues of each other release, and the orders of options of all together."""
    clues = [clue for other in others for clue in other.clues]
    if len(others) > 1:
        orders = Clue(
            "orders of options in all releases",
            lambda row, _: prod(other.sign(row, ORDER) or 1 for other in others),
        )
        clues.append(orders)
    return clues


def _remembered(files: Sequence[PublishedFile]) -> Iterator[tuple[int, int]]:
    for split in dict.fromkeys(file.split for file in files):
        for unit in units([file for file in files if file.split == split]):
            for row, twin in zip(unit, reversed(unit), strict=True):
                other = twin if len(unit) > 1 else None
                packed = _place(row) << OF_SIGNS
                for number, says in enumerate(SIGNS.values()):
                    packed |= 1 + says(row, other) << number * SIGN_BITS
                yield row.sentence_key, packed


def _place(row: PlacedRow) -> int:
    return row.line * PARTS // max(1, row.home.n_rows)
