"""Write Parquet while rows are read: a row group at a time, so memory does not grow with them."""

from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO, RawIOBase
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from winoplatform.exporting.columns import Column, Kind

ROW_GROUP = 10_000
LONGEST_ROWS = 1 << 30  # one block: the rows of a group are in memory anyway
TYPES = {
    Kind.TEXT: pa.string(),
    Kind.TYPED: pa.string(),
    Kind.JSON: pa.string(),
    Kind.INTEGER: pa.int32(),
    Kind.NUMBER: pa.float64(),
    Kind.FLAG: pa.bool_(),
    Kind.TIME: pa.timestamp("us", tz="UTC"),
}


def schema_of(columns: Mapping[str, Column]) -> pa.Schema:
    """Return the Parquet schema of a table; JSON values are text."""
    return pa.schema(
        pa.field(name, TYPES[column.kind], nullable=column.nullable)
        for name, column in columns.items()
    )


def parquet(rows: Iterable[bytes], columns: Mapping[str, Column]) -> Iterator[bytes]:
    """Yield a Parquet file with a row group for every ``ROW_GROUP`` of *rows*.

    Parameters
    ----------
    rows
        CSV rows as PostgreSQL writes them, each complete: empty text is quoted, and null is not.
    """
    schema, sink, remaining = schema_of(columns), _Sink(), iter(rows)
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        while group := b"".join(islice(remaining, ROW_GROUP)):
            writer.write_table(_table(group, schema), row_group_size=ROW_GROUP)
            yield sink.taken()
    yield sink.taken()


def _table(content: bytes, schema: pa.Schema) -> pa.Table:
    table = pacsv.read_csv(
        BytesIO(content),
        read_options=pacsv.ReadOptions(
            column_names=schema.names, use_threads=False, block_size=LONGEST_ROWS
        ),
        parse_options=pacsv.ParseOptions(newlines_in_values=True),
        convert_options=pacsv.ConvertOptions(
            column_types=schema,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    return table.cast(schema)


class _Sink(RawIOBase):
    """A file that hands over what was written to it."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._blocks.append(bytes(content))
        return len(self._blocks[-1])

    def taken(self) -> bytes:
        content = b"".join(self._blocks)
        self._blocks.clear()
        return content
