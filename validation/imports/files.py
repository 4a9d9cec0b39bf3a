"""The files of an export, and why one is refused."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tabular import Record, open_stream, read_records
from tabular.parquet_pages import refuse_lying_pages
from validation.imports.values import for_database, from_text
from winoplatform.errors import DomainError
from winoplatform.exporting.columns import Column, Kind
from winoplatform.exporting.parquet import schema_of


class Refused(DomainError):
    """A file that is not an export, or not one of a consistent campaign; nothing is stored."""

    def __init__(self, file: str, line: int | None, sentence: str) -> None:
        place = f"{file}, line {line:,}" if line else file
        details = {"file": file, "line": line}
        super().__init__("import_refused", f"{place}: {sentence}", details=details)


LONGEST_LINE = 256 * 1024
LONGEST_GROUP = 256 * 1024 * 1024  # bytes of a row group, uncompressed
ROWS_AT_ONCE = 200
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
            yield line, for_database(columns, {**_earlier(columns), **row})
    except _Bad as error:
        raise Refused(path.name, error.line, str(error)) from None
    except ValueError as error:
        raise Refused(path.name, line, str(error)) from None


def _earlier(columns: Columns) -> dict[str, Any]:
    """Return the values of the columns that earlier exports did not have."""
    return {name: row.earlier for name, row in columns.items() if row.earlier is not None}


def _required(columns: Columns) -> Columns:
    return {name: column for name, column in columns.items() if column.earlier is None}


class _Bad(Exception):
    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


def _reader(path: Path) -> Callable[[Path, Columns], Iterator[Row]]:
    return _parquet if _kind(path) == "parquet" else _table


def _kind(path: Path) -> str:
    return path.name.removesuffix(".gz").rpartition(".")[2]


def _table(path: Path, columns: Columns) -> Iterator[Row]:
    is_csv = _kind(path) == "csv"
    with open_stream(path) as stream:
        for record in read_records(
            stream, known=columns, required=_required(columns), longest=LONGEST_LINE, is_exact=True
        ):
            if record.problem is not None:
                raise _Bad(record.line, record.problem.sentence)
            yield record.line, _fields(record, columns) if is_csv else record.fields


def _fields(record: Record, columns: Columns) -> dict[str, Any]:
    """Return the values of a row of texts."""
    if unknown := [name for name in record.fields if name not in columns]:
        raise _Bad(1, f"An export has no column {unknown[0][:60]}; it has: {', '.join(columns)}.")
    try:
        return {name: from_text(name, columns[name], text) for name, text in record.fields.items()}
    except ValueError as error:
        raise _Bad(record.line, str(error)) from None


def _parquet(path: Path, columns: Columns) -> Iterator[Row]:
    line = 0
    try:
        with path.open("rb") as stream, pq.ParquetFile(stream) as file:
            known = (schema_of(columns), schema_of(_required(columns)))
            if not any(map(file.schema_arrow.equals, known)):
                raise _Bad(0, "The columns or their types are not those of an export.")
            _refuse_large(file)
            refuse_lying_pages(stream, file.metadata)
            for batch in file.iter_batches(ROWS_AT_ONCE):
                if batch.nbytes > LONGEST_GROUP:  # one value can stand for many rows
                    raise _Bad(line + 1, f"A row group has more than {LONGEST_GROUP:,} bytes.")
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
