"""Read the files of an export: JSON lines, CSV or Parquet, a bounded piece at a time."""

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from io import BufferedIOBase
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from collection.imports.readers import BOM, open_stream
from validation.imports.refusals import Refused
from validation.imports.values import for_database, from_text
from winoplatform.exporting.columns import Column, Kind
from winoplatform.exporting.parquet import ROW_GROUP, schema_of

LONGEST_LINE = 256 * 1024
LONGEST_GROUP = 256 * 1024 * 1024  # bytes of a row group, uncompressed
Columns = Mapping[str, Column]
Row = tuple[int, Mapping[str, Any]]


def rows_of(path: Path, columns: Columns) -> Iterator[tuple[int, list[Any]]]:
    """Yield every row of a file with its line: for Parquet the number of the row, from 1.

    Raises
    ------
    Refused
        At the first row that is not one of an export.
    OSError
        If the file cannot be read.
    """
    line = 0
    try:
        for line, row in _reader(path)(path, columns):
            yield line, for_database(columns, row)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise Refused(path.name, line + 1, "The compressed file is damaged here.") from None
    except _Bad as error:
        raise Refused(path.name, error.line, str(error)) from None
    except ValueError as error:
        raise Refused(path.name, line, str(error)) from None


class _Bad(Exception):
    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


def _reader(path: Path) -> Callable[[Path, Columns], Iterator[Row]]:
    suffixes = path.name.removesuffix(".gz").rpartition(".")[2]
    return {"parquet": _parquet, "csv": _csv}.get(suffixes, _json_lines)


def _text_lines(stream: BufferedIOBase) -> Iterator[tuple[int, str]]:
    """Yield each line with its ending."""
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise _Bad(number, "The line is longer than any row.")
        try:
            yield number, raw.removeprefix(BOM if number == 1 else b"").decode()
        except UnicodeDecodeError:
            raise _Bad(number, "The line is not UTF-8 text.") from None


def _json_lines(path: Path, columns: Columns) -> Iterator[Row]:
    with open_stream(path) as stream:
        for number, text in _text_lines(stream):
            try:
                row = json.loads(text)
            except (ValueError, RecursionError):
                raise _Bad(number, "The line is not valid JSON.") from None
            if not isinstance(row, dict):
                raise _Bad(number, "The line is not an object.")
            yield number, row


def _csv(path: Path, columns: Columns) -> Iterator[Row]:
    with open_stream(path) as stream:
        rows = csv.reader((text for _, text in _text_lines(stream)), strict=True)
        try:
            if next(rows, None) != list(columns):
                raise _Bad(1, f"The header must be: {','.join(columns)}.")
            for row in rows:
                yield rows.line_num, _fields(rows.line_num, row, columns)
        except csv.Error:
            raise _Bad(rows.line_num, "The row is not valid CSV.") from None


def _fields(line: int, row: list[str], columns: Columns) -> dict[str, Any]:
    if len(row) != len(columns):
        raise _Bad(line, "The row has more or fewer fields than the header.")
    try:
        return {
            name: from_text(name, column, text)
            for (name, column), text in zip(columns.items(), row, strict=True)
        }
    except ValueError as error:
        raise _Bad(line, str(error)) from None


def _parquet(path: Path, columns: Columns) -> Iterator[Row]:
    line = 0
    try:
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(schema_of(columns)):
                raise _Bad(0, "The columns or their types are not those of an export.")
            _refuse_large(file)
            for batch in file.iter_batches(ROW_GROUP):
                for row in batch.to_pylist():
                    line += 1
                    yield line, _parsed(row, columns)
    except pa.ArrowException:
        raise _Bad(line + 1, "The file is damaged, or no Parquet file.") from None


def _refuse_large(file: pq.ParquetFile) -> None:
    facts = file.metadata
    if any(facts.row_group(n).total_byte_size > LONGEST_GROUP for n in range(facts.num_row_groups)):
        raise _Bad(0, f"A row group has more than {LONGEST_GROUP:,} bytes.")


def _parsed(row: dict[str, Any], columns: Columns) -> dict[str, Any]:
    return {
        name: from_text(name, columns[name], value)
        if columns[name].kind is Kind.JSON and value is not None
        else value
        for name, value in row.items()
    }
