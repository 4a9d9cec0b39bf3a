"""Files of predictions without ids: WinoGrande's columns, and plain lines."""

import re
from collections.abc import Sequence

from corpora.core.bundle.layout import SIZES
from corpora.core.items import Item
from corpora.core.readers.records import Source, as_binary
from evaluation.core.predictions.read import Predictions, Row, collect
from tabular import key, read_lines

LONGEST = 1_000_000
_HEADER = {"id", "qid", "idx", "sentence", "prediction", "pred"}


def read_winogrande_columns(source: Source, items: Sequence[Item]) -> dict[str, Predictions]:
    """Read WinoGrande's prediction list: for each item five labels, separated by commas,
    semicolons or tabs.

    Parameters
    ----------
    source : binary file, or iterable of str
        One line per item, in the order of the items.
    items : sequence of Item

    Returns
    -------
    dict of str to Predictions
        By training size, in the order ``xs``, ``s``, ``m``, ``l``, ``xl``.

    Raises
    ------
    ValueError
        When the number of lines is not that of the items, or a line does not have five labels.

    Source: README of WinoGrande 1.1, "Evaluation".
    """
    table = []
    for number, line in enumerate(_as_many(source, items), 1):
        cells = re.split(r"[,;\t]", line)
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


def read_answers(source: Source, items: Sequence[Item]) -> Predictions:
    """Read one free-text answer per line, in the order of the items.

    Raises
    ------
    ValueError
        When the number of lines is not that of the items.
    """
    return _in_item_order(_as_many(source, items), items)


def _as_many(source: Source, items: Sequence[Item]) -> list[str]:
    lines_of_file = []
    for line in read_lines(as_binary(source), longest=LONGEST):
        if line.problem is not None:
            raise ValueError(line.problem.at(line.number))
        lines_of_file.append(line.text)
    if len(lines_of_file) != len(items):
        message = f"there must be one line per item, {len(items):,}, got {len(lines_of_file):,}"
        raise ValueError(message + _header_hint(lines_of_file))
    return lines_of_file


def _header_hint(lines: Sequence[str]) -> str:
    cells = {key(cell) for cell in re.split(r"[,;\t|]", lines[0][:500])} if lines else set()
    is_table = len(cells & _HEADER) > 1 or (lines and lines[0].lstrip()[:1] in ("{", "["))
    return "; the file seems to be a table: choose the format csv or jsonl" if is_table else ""


def _in_item_order(answers: Sequence[str], items: Sequence[Item]) -> Predictions:
    rows = [
        Row(number, item.id, answer)
        for number, (item, answer) in enumerate(zip(items, answers, strict=True), 1)
    ]
    return collect(rows, items)
