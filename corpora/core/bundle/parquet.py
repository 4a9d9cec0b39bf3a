"""Write published rows as Parquet: row by row, with the same bytes for the same rows."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from corpora.core.bundle.layout import COLUMNS
from corpora.core.bundle.reading import FREE, RATIO
from tabular.parquet_pages import refuse_lying_pages

ROWS_PER_GROUP = 10_000
BATCH_READ = 100  # rows that are unpacked before their size is known
SCHEMA = pa.schema([pa.field(name, pa.string(), nullable=False) for name in COLUMNS])


def write_parquet(
    rows: Iterable[Mapping[str, Any]],
    file: IO[bytes],
    *,
    schema: pa.Schema = SCHEMA,
    repeated: Collection[str] = ("domain", "origin"),
) -> int:
    """Write rows with the columns of a schema.

    Parameters
    ----------
    rows : iterable of mapping
        Of questions, ``answer`` is '1' or '2', or '' in the blind split. The iterator is read
        once; memory holds one row group.
    file : binary file, open for writing
    schema : Schema
        By default the columns of `layout.COLUMNS`, all of them texts.
    repeated : collection of str
        Columns with few different values.

    Returns
    -------
    int
        The number of rows. A file without rows has the columns too.

    Raises
    ------
    KeyError
        When a row lacks a column.
    ValueError
        When a value has not the type of its column.
    """
    left, written = iter(rows), 0
    with pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        use_dictionary=[*repeated],
        write_statistics=False,  # they would repeat whole sentences in the footer
        store_schema=False,
    ) as writer:
        while group := list(islice(left, ROWS_PER_GROUP)):
            writer.write_table(_table(group, schema), row_group_size=ROWS_PER_GROUP)
            written += len(group)
    return written


def read_parquet(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file; memory holds one row group at most.

    Raises
    ------
    ValueError
        When the values have more bytes than the file can honestly hold: one value can stand for a
        million rows. Pages that would unpack to more than the file says are refused unread.
    """
    most, read = FREE + RATIO * file.seek(0, os.SEEK_END), 0
    stored = pq.ParquetFile(file)
    refuse_lying_pages(file, stored.metadata)
    groups = range(stored.metadata.num_row_groups)
    if sum(stored.metadata.row_group(n).total_byte_size for n in groups) > most:
        raise ValueError(f"it unpacks to more than {most:,} bytes")
    for batch in stored.iter_batches(BATCH_READ):
        read += batch.nbytes
        if read > most:
            raise ValueError(f"it unpacks to more than {most:,} bytes")
        yield from batch.to_pylist()


def _table(rows: list[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    columns = [[row[name] for row in rows] for name in schema.names]
    try:
        arrays = [pa.array(*both) for both in zip(columns, schema.types, strict=True)]
        return pa.table(arrays, schema=schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(f"rows must have values of the columns' types: {error}") from error
