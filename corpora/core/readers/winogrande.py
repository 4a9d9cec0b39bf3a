"""WinoGrande's columns."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpora.core.items import Item, composed_item
from corpora.core.readers.lines import at_line
from corpora.core.readers.records import Source, one_blank, table_records
from corpora.core.readers.twins import with_twins
from tabular import is_unknown, whole_number

_WINOGRANDE = ("qID", "sentence", "option1", "option2", "answer")


def read_winogrande(lines: Source) -> Iterator[Item]:
    """Read WinoGrande's columns: qID, sentence, option1, option2 and, unless blind, answer.

    Questions whose qIDs differ only in the ending form a group. The ending, which is the answer in
    WinoGrande 1.1, becomes part of the id only. Without any qID, as in Hugging Face's copy, the
    questions are numbered and twins are found by their text.

    Raises
    ------
    ValueError
        With the number of the first line that is not such a question.
    """
    is_named: bool | None = None
    unnamed = []
    for number, record in enumerate(table_records(lines, _WINOGRANDE), 1):
        if is_named is None:
            is_named = "qID" in record.fields
        with at_line(record.line):
            item = _winogrande(record.fields, f"winogrande-{number}", is_named=is_named)
        if is_named:
            yield item
        else:
            unnamed.append(composed_item(item))
    yield from with_twins(unnamed)


def _winogrande(row: Mapping[str, Any], number: str, *, is_named: bool) -> Item:
    try:
        id = row["qID"] if is_named else number
        return Item(
            id=id,
            group=(id.rpartition("-")[0] or id) if is_named else id,
            sentence=one_blank(row["sentence"]),
            options=(row["option1"], row["option2"]),
            answer=_answer(row.get("answer")),
        )
    except KeyError as error:
        names = ", ".join(row) or "no names"
        problem = f"“{error.args[0]}” is missing; the columns are {names:.200}"
        raise ValueError(f"not a question of WinoGrande: {problem}") from error
    except (TypeError, AttributeError, ValueError, OverflowError) as error:
        raise ValueError(f"not a question of WinoGrande: {error}") from error


def _answer(value: Any) -> int | None:
    if is_unknown(value):
        return None
    if (number := whole_number(value)) is None:
        raise ValueError(f"answer must be 1 or 2, got {value!r:.80}")
    return number
