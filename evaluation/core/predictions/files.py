"""Readers of files of predictions: JSON lines, CSV, WinoGrande's columns and plain lines."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corpora.core.bundle.layout import SIZES
from corpora.core.items import Item
from evaluation.core.predictions.read import Read, Row, collect

FORMATS = {
    "jsonl": "JSON lines with qID (or id), and prediction or answer, or the scores of the options",
    "csv": "a CSV file with a column for the id or the sentence, and one for the prediction",
    "winogrande": "WinoGrande's list: per item five labels, by training size from xs to xl",
    "lines": "one free-text answer per line, in the order of the items",
}
ID_NAMES = ("qid", "id")
PREDICTION_NAMES = ("prediction", "pred")
_OPTION = re.compile(r"option(\d+)")


def read_jsonl(lines: Iterable[str], items: Sequence[Item]) -> Read:
    """Read JSON lines with ``qID`` or ``id`` and ``prediction``, ``answer`` or ``scores``.

    A prediction is a number from 1 or free text (see `parse_answer`). With ``option1``, ``option2``
    and so on in a line, numbers and scores follow the line's order of options. If a line has scores
    and no prediction, the option with the highest score is the prediction.

    Parameters
    ----------
    lines : iterable of str
    items : sequence of Item

    Returns
    -------
    Read

    Raises
    ------
    ValueError
        With the number of a line that is no such record, whose id is repeated, or whose options,
        scores or number contradict the item. A line that has a ``sentence`` and no ``prediction``
        is refused, because its ``answer`` is a label of the data set.
    """
    return collect(_json_rows(lines), items)


def _json_rows(lines: Iterable[str]) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise ValueError(f"line {number} is not JSON: {error}") from error
        if not isinstance(record, dict):
            raise ValueError(f"line {number} must be a JSON object, got {line.strip()[:80]!r}")
        id = next((record[name] for name in ("qID", "qid", "id") if name in record), None)
        if not isinstance(id, str | int) or isinstance(id, bool) or id == "":
            raise ValueError(f"line {number} must have an id in 'qID' or 'id', got {id!r}")
        yield Row(
            line=number,
            id=str(id),
            answer=_json_answer(record, number),
            options=_options(record),
            scores=_scores(record.get("scores"), number),
        )


def _json_answer(record: Mapping[str, Any], number: int) -> str | int | None:
    if "prediction" not in record and "scores" not in record:
        if "answer" not in record:
            raise ValueError(f"line {number} has none of 'prediction', 'answer' and 'scores'")
        if "sentence" in record:
            raise ValueError(
                f"line {number} has a sentence and an answer and no 'prediction': it is a question "
                "of a data set with its label"
            )
    answer = record.get("prediction", None if "scores" in record else record.get("answer"))
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    if isinstance(answer, bool) or not isinstance(answer, str | int | None):
        raise ValueError(f"line {number}: prediction must be a number or text, got {answer!r}")
    return answer


def _options(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the columns ``option1``, ``option2`` and so on that are not empty, in order."""
    numbered = {int(m[1]): record[name] for name in record if (m := _OPTION.fullmatch(name))}
    return tuple(str(numbered[number]) for number in sorted(numbered) if numbered[number])


def _scores(found: Any, number: int) -> tuple[float, ...]:
    if found is None:
        return ()
    numeric = isinstance(found, list) and all(type(one) in (int, float) for one in found)
    if not numeric or not found or not all(map(math.isfinite, found)):
        raise ValueError(f"line {number}: scores must be a list of finite numbers, got {found!r}")
    return tuple(map(float, found))


def read_csv(
    lines: Iterable[str],
    items: Sequence[Item],
    *,
    id_column: str | None = None,
    prediction_column: str | None = None,
) -> Read:
    """Read a CSV file with a header.

    Parameters
    ----------
    lines : iterable of str
        Of a file opened with ``newline=""``.
    items : sequence of Item
    id_column : str, optional
        Default: ``qID`` or ``id``; without these the row's ``sentence`` (and its options, if the
        file has them) identify the item.
    prediction_column : str, optional
        Default: ``prediction`` or ``pred``. A column ``answer`` is not read unless it is named,
        because it often is the label.

    Returns
    -------
    Read
        A last row without an id or sentence is not an answer; the report has its cells.

    Raises
    ------
    ValueError
        When a column is missing, or a row has no id, another number of cells than the header, a
        repeated id, or options or a number that contradict the item.
    """
    reader = csv.DictReader(lines, strict=True)
    columns = list(reader.fieldnames or [])
    if len(set(columns)) < len(columns):
        raise ValueError(f"columns must have different names, got {columns!r}")
    predicted = _column(columns, "prediction", prediction_column, PREDICTION_NAMES)
    id_name = _column(columns, "id", id_column, ID_NAMES, ("sentence",))
    records = list(_records(reader))
    summary = records.pop()[1] if records and not records[-1][1][id_name].strip() else {}
    by_sentence = id_column is None and id_name.casefold() == "sentence"
    has_options = bool(_options(dict.fromkeys(columns, "option")))
    ids = _ids_by_sentence(items, with_options=has_options) if by_sentence else None
    rows = [_csv_row(number, record, id_name, predicted, ids) for number, record in records]
    return collect(rows, items, summary={key: cell for key, cell in summary.items() if cell})


def _column(columns: Sequence[str], what: str, named: str | None, *usual: Sequence[str]) -> str:
    """Return the column that is named, else the first that has a usual name."""
    found = named or next((one for names in usual if (one := _detected(columns, names))), None)
    if found is None:
        raise ValueError(f"name the column of the {what}, one of {list(columns)!r}")
    if found not in columns:
        raise ValueError(
            f"the column of the {what} must be one of {list(columns)!r}, got {found!r}"
        )
    return found


def _csv_row(
    number: int,
    record: Mapping[str, str],
    id_name: str,
    predicted: str,
    ids: Mapping[tuple[str, ...], str] | None,
) -> Row:
    """Return the answer of a line; with *ids*, its sentence and options identify the item."""
    id = record[id_name].strip() if ids is None else record[id_name]
    if not id:
        raise ValueError(f"line {number} has an empty {id_name!r}, and is not the last row")
    options = _options(record)
    if ids is not None:
        id = ids.get((id, *sorted(options)), id)
    return Row(number, id, record[predicted], options)


def _detected(columns: Sequence[str], names: Sequence[str]) -> str | None:
    return next((one for name in names for one in columns if one.strip().casefold() == name), None)


def _records(reader: csv.DictReader[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row with the number of its last line."""
    try:
        for record in reader:
            if None in record or None in record.values():
                raise ValueError(f"line {reader.line_num} has not as many cells as the header")
            yield reader.line_num, record
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num} is not CSV: {error}") from error


def _ids_by_sentence(items: Sequence[Item], *, with_options: bool) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for item in items:
        key = (item.sentence, *(sorted(item.options) if with_options else ()))
        if key in found:
            raise ValueError(
                f"items {found[key]!r} and {item.id!r} have the same sentence, so the file must "
                "have a column with their ids"
            )
        found[key] = item.id
    return found


def read_winogrande_columns(lines: Iterable[str], items: Sequence[Item]) -> dict[str, Read]:
    """Read WinoGrande's prediction list: for each item five labels, separated by commas.

    Parameters
    ----------
    lines : iterable of str
        One per item, in the order of the items.
    items : sequence of Item

    Returns
    -------
    dict of str to Read
        By training size, in the order ``xs``, ``s``, ``m``, ``l``, ``xl``.

    Raises
    ------
    ValueError
        When the number of lines is not that of the items, or a line does not have five labels.

    Source: README of WinoGrande 1.1, "Evaluation".
    """
    table = []
    for number, line in enumerate(_as_many(lines, items), 1):
        cells = line.split(",")
        if len(cells) != len(SIZES):
            raise ValueError(
                f"line {number} must have {len(SIZES)} labels, one for each of "
                f"{', '.join(SIZES)}, got {line!r}; the format for one per line is lines"
            )
        table.append(cells)
    return {
        size: _in_item_order([cells[place] for cells in table], items)
        for place, size in enumerate(SIZES)
    }


def read_lines(lines: Iterable[str], items: Sequence[Item]) -> Read:
    """Read one free-text answer per line, in the order of the items.

    Raises
    ------
    ValueError
        When the number of lines is not that of the items.
    """
    return _in_item_order(_as_many(lines, items), items)


def _as_many(lines: Iterable[str], items: Sequence[Item]) -> list[str]:
    found = [line.rstrip("\r\n") for line in lines]
    if len(found) != len(items):
        raise ValueError(f"there must be one line per item, {len(items):,}, got {len(found):,}")
    return found


def _in_item_order(answers: Sequence[str], items: Sequence[Item]) -> Read:
    rows = [
        Row(number, item.id, answer)
        for number, (item, answer) in enumerate(zip(items, answers, strict=True), 1)
    ]
    return collect(rows, items)
