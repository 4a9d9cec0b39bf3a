"""Read a file of predictions by the name of its format."""

from collections.abc import Sequence
from pathlib import PurePath

from corpora.core.bundle.layout import SIZES
from corpora.core.items import Item
from corpora.core.readers.records import Source
from evaluation.core.predictions.files import read_answers, read_winogrande_columns
from evaluation.core.predictions.read import Predictions
from evaluation.core.predictions.table import read_table

FORMATS = {
    "jsonl": "JSON lines or a JSON array with qID, id or idx, and prediction, answer, label or the "
    "scores of the options; samples of lm-evaluation-harness; Inspect’s JSON log",
    "csv": "CSV or TSV with a column for the id or the sentence, and one for the prediction, or "
    "one for each option’s score",
    "winogrande": "WinoGrande's list: per item five labels, by training size from xs to xl",
    "lines": "one free-text answer per line, in the order of the items",
}
"""Formats by name; the two of tables are read by the same reader, whatever the file is."""
FORMAT_OF = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".eval": "jsonl", ".csv": "csv",
    ".tsv": "csv", ".xlsx": "csv", ".xls": "csv", ".ods": "csv", ".lst": "winogrande",
    ".txt": "lines",
}  # fmt: skip


def format_of(name: str) -> str:
    """Return the format that a file's name tells, or an empty string.

    >>> format_of("answers.CSV")
    'csv'
    """
    return FORMAT_OF.get(PurePath(name).suffix.lower(), "")


def read_predictions(
    source: Source,
    items: Sequence[Item],
    *,
    format: str,
    id_column: str = "",
    prediction_column: str = "",
    size: str = "",
) -> Predictions:
    """Read a file of predictions.

    Parameters
    ----------
    source : binary file, seekable, or iterable of str
    items : sequence of Item
    format : {'jsonl', 'csv', 'winogrande', 'lines'}
    id_column, prediction_column : str
        For the format 'csv'; found by their usual names if empty.
    size : {'xs', 's', 'm', 'l', 'xl'}
        For the format 'winogrande', which has one label by training size.

    Returns
    -------
    Predictions

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
        return read_winogrande_columns(source, items)[size]
    return (
        read_answers(source, items) if format == "lines" else read_table(source, items, **columns)
    )
