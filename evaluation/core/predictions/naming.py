"""Which item a row of a file is about: by its id, its sentence, or its number."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from corpora.core.items import Item
from evaluation.core.predictions.read import Row

_AT_END = re.compile(r"(?:^|[^0-9])([0-9]{1,9})$")
_NUMBER = re.compile(r"0*([0-9]{1,15})(?:\.0*)?")
_SCIENTIFIC = re.compile(r"[0-9](?:[.,][0-9]+)?[Ee]\+?[0-9]{1,3}")


class Naming:
    """The items of a set by what a file may call them."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._ids = {item.id for item in items}

    def __contains__(self, id: str) -> bool:
        return id in self._ids

    def of_ids(self, rows: Iterable[Row]) -> list[Row]:
        """Return rows with the ids of items where a spreadsheet has changed them.

        ``00007`` becomes 7 or 7.0 there. An id that no item has stays as it is.

        Raises
        ------
        ValueError
            With the line of an id that a spreadsheet has rounded, such as ``1.2E+10``.
        """
        ids = []
        for row in rows:
            if row.id not in self._ids:
                number = _NUMBER.fullmatch(row.id)
                if _SCIENTIFIC.fullmatch(row.id):
                    raise ValueError(
                        f"line {row.line}: the id {row.id!r} is a number as a spreadsheet writes "
                        "it, so the id is lost; make the file again with the column of ids as text"
                    )
                row = replace(row, id=self._by_number.get(number[1], row.id)) if number else row
            ids.append(row)
        return ids

    def of_numbers(self, rows: Sequence[Row]) -> list[Row]:
        """Return rows whose ids are numbers with the ids of the items that they count.

        They are the numbers at the end of the items' ids if those count from 0, as SuperGLUE's do,
        or are larger than the set; else places in the set, from 0.

        Raises
        ------
        ValueError
            With the line of a number that is none of them.
        """
        ending = self._by_ending
        if "0" not in ending and all(int(row.id) < len(self._items) for row in rows):
            return self.of_places(rows, [int(row.id) for row in rows])
        for row in rows:
            if row.id not in ending:
                raise ValueError(f"line {row.line}: no item has the number {row.id}")
        return [replace(row, id=ending[row.id]) for row in rows]

    def of_places(self, rows: Sequence[Row], places: Sequence[int]) -> list[Row]:
        """Return rows with the ids of the items at these places, from 0.

        Raises
        ------
        ValueError
            With the line of a place that no item has.
        """
        for row, place in zip(rows, places, strict=True):
            if not 0 <= place < len(self._items):
                raise ValueError(
                    f"line {row.line}: there is no item {row.id}, only {len(self._items)} of them"
                )
        return [
            replace(row, id=self._items[place].id) for row, place in zip(rows, places, strict=True)
        ]

    def of_sentence(self, sentence: str, options: Sequence[str]) -> str:
        """Return the id of the item with a sentence, and these options if there are any.

        The sentence itself if no item has it.

        Raises
        ------
        ValueError
            When two items have the same.
        """
        names = self._with_options if options else self._sentences
        return names.get((sentence.strip(), *sorted(options)), sentence)

    @cached_property
    def _by_number(self) -> dict[str, str]:
        return _unique((match[1], id) for id in self._ids if (match := _NUMBER.fullmatch(id)))

    @cached_property
    def _by_ending(self) -> dict[str, str]:
        endings = ((match[1], id) for id in self._ids if (match := _AT_END.search(id)))
        return _unique((str(int(number)), id) for number, id in endings)

    @cached_property
    def _sentences(self) -> dict[tuple[str, ...], str]:
        return self._by_text(with_options=False)

    @cached_property
    def _with_options(self) -> dict[tuple[str, ...], str]:
        return self._by_text(with_options=True)

    def _by_text(self, *, with_options: bool) -> dict[tuple[str, ...], str]:
        found: dict[tuple[str, ...], str] = {}
        for item in self._items:
            key = (item.sentence.strip(), *(sorted(item.options) if with_options else ()))
            if key in found:
                raise ValueError(
                    f"items {found[key]!r} and {item.id!r} have the same sentence, so the file "
                    "must have a column with their ids"
                )
            found[key] = item.id
        return found


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the pairs whose first value is that of no other one."""
    listed = list(pairs)
    times = Counter(number for number, _ in listed)
    return {number: id for number, id in listed if times[number] == 1}
