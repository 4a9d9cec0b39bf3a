"""Published answers that tell a blind one: of the same sentence, or of its twin by complement."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from corpora.core.leaks.clues import Clue, Twin
from corpora.core.leaks.files import PlacedRow, PublishedFile, units
from corpora.core.leaks.lookup import Lookup, key_of_text, keys_of

# Twins differ in one place, so that they have the same text before the blank, or after it.
Side = Literal[0, 2]
SIDES: Mapping[Side, str] = {0: "before", 2: "after"}


@dataclass(frozen=True, slots=True)
class KnownAnswers:
    """The right options of labelled rows that blind ones are like.

    Parameters
    ----------
    by_sentence : Lookup
        The right option's hash.
    by_side : mapping of int to Lookup
        By both options and the text before, or after, the blank: the sentence's hash and the right
        option's.
    """

    by_sentence: Lookup
    by_side: Mapping[Side, Lookup]

    @classmethod
    def of(cls, files: Sequence[PublishedFile], blind: Collection[str]) -> KnownAnswers:
        """Read the files; memory holds what blind rows have in common with labelled ones."""
        rows = [file for file in files if file.split not in blind]
        secret = [file for file in files if file.split in blind]
        return cls(
            Lookup.of(
                ((row.sentence_key, _right(row)) for row in _rows(rows)),
                width=1,
                wanted=keys_of(row.sentence_key for row in _rows(secret)),
            ),
            {side: _lookup_of_side(rows, secret, side) for side in SIDES},
        )

    @property
    def clues(self) -> list[Clue]:
        """The clues for a blind split; they are leaks though they compare the options."""
        return [
            Clue("published answer of the same sentence", self._same),
            *(self._complement(side, name) for side, name in SIDES.items()),
        ]

    def _same(self, row: PlacedRow, _: Twin) -> int:
        answers = self.by_sentence.get(row.sentence_key)
        return _says(row, answers[0]) if answers else 0

    def _complement(self, side: Side, name: str) -> Clue:
        def says(row: PlacedRow, _: Twin) -> int:
            answers = self.by_side[side].get(_side(row, side))
            if answers is None or answers[0] == row.sentence_key:
                return 0
            return -_says(row, answers[1])

        return Clue(f"other option than published for the same text {name} the blank", says)


def _lookup_of_side(
    rows: Sequence[PublishedFile], secret: Sequence[PublishedFile], side: Side
) -> Lookup:
    wanted = keys_of(_side(row, side) for row in _rows(secret))
    known = ((_side(row, side), row.sentence_key, _right(row)) for row in _rows(rows))
    return Lookup.of(known, width=2, wanted=wanted)


def _rows(files: Sequence[PublishedFile]) -> Iterator[PlacedRow]:
    return (row for file in files for unit in units([file]) for row in unit)


def _right(row: PlacedRow) -> int:
    return key_of_text(row.options[row.answer - 1])


def _side(row: PlacedRow, side: Side) -> int:
    return key_of_text(*sorted(row.options), row.sentence.partition("_")[side])


def _says(row: PlacedRow, right: int) -> int:
    first, second = (key_of_text(option) == right for option in row.options)
    return int(first) - int(second)
