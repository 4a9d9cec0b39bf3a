"""JSON lines: items as stored in a snapshot, and WinoGrande's columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpora.core.items import Item
from corpora.core.readers.lines import at_line, json_objects, json_value


def read_items(lines: Iterable[str]) -> Iterator[Item]:
    """Read lines written by ``Item.to_line``.

    Raises
    ------
    ValueError
        With the number of the first line that is not an item.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            with at_line(number):
                json_value(line)  # stricter than from_line
                item = Item.from_line(line)
            yield item


def read_winogrande(lines: Iterable[str]) -> Iterator[Item]:
    """Read WinoGrande's columns: qID, sentence, option1, option2 and, unless blind, answer.

    Questions whose qIDs differ only in the ending form a group. The ending, which is the answer in
    WinoGrande 1.1, becomes part of the id only.

    Raises
    ------
    ValueError
        With the number of the first line that is not such a question.
    """
    for number, row in json_objects(lines):
        try:
            yield Item(
                id=row["qID"],
                group=row["qID"].rpartition("-")[0] or row["qID"],
                sentence=row["sentence"],
                options=(row["option1"], row["option2"]),
                answer=int(row["answer"]) if row.get("answer") else None,
            )
        except KeyError as error:
            said = f"“{error.args[0]}” is missing"
            raise ValueError(f"line {number} is not a question of WinoGrande: {said}") from error
        except (TypeError, AttributeError, ValueError, OverflowError) as error:
            raise ValueError(f"line {number} is not a question of WinoGrande: {error}") from error
