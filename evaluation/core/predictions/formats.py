"""Read a file of predictions by the name of its format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from corpora.core.bundle.layout import SIZES
from corpora.core.items import Item
from evaluation.core.predictions.files import (
    FORMATS,
    read_csv,
    read_jsonl,
    read_lines,
    read_winogrande_columns,
)
from evaluation.core.predictions.read import Read

FORMAT_OF = {".jsonl": "jsonl", ".csv": "csv", ".lst": "winogrande", ".txt": "lines"}


def format_of(name: str) -> str:
    """Return the format that a file's name tells, or an empty string.

    >>> format_of("answers.CSV")
    'csv'
    """
    return FORMAT_OF.get(PurePath(name).suffix.lower(), "")


def read_predictions(
    lines: Iterable[str],
    items: Sequence[Item],
    *,
    format: str,
    id_column: str = "",
    prediction_column: str = "",
    size: str = "",
) -> Read:
    """Read a file of predictions.

    Parameters
    ----------
    lines : iterable of str
    items : sequence of Item
    format : {'jsonl', 'csv', 'winogrande', 'lines'}
    id_column, prediction_column : str
        For the format 'csv'; found by their usual names if empty.
    size : {'xs', 's', 'm', 'l', 'xl'}
        For the format 'winogrande', which has one label by training size.

    Returns
    -------
    Read

    Raises
    ------
    ValueError
        When the format is unknown, an argument is given for another format, or the file cannot be
        read (see the reader of the format).
    """
    columns = {"id_column": id_column, "prediction_column": prediction_column}
    columns = {name: column for name, column in columns.items() if column}
    if format not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {format!r}")
    if columns and format != "csv":
        raise ValueError(f"columns can be named for the format 'csv' only, got {format!r}")
    if (format == "winogrande") != bool(size) or (size and size not in SIZES):
        raise ValueError(
            f"size must be one of {', '.join(SIZES)} for the format 'winogrande' only, "
            f"got {size!r} for {format!r}"
        )
    if format == "winogrande":
        return read_winogrande_columns(lines, items)[size]
    if format == "csv":
        return read_csv(lines, items, **columns)
    return (read_jsonl if format == "jsonl" else read_lines)(lines, items)
