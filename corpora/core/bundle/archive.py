"""Write a release's rows as Parquet and its files as one zip, with the same bytes each time."""

import os
import shutil
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from corpora.core.bundle.layout import COLUMNS
from corpora.core.bundle.reading import FREE, RATIO
from tabular.parquet_pages import refuse_lying_pages

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment a zip can name
_LEVEL = 6
_BLOCK = 1 << 20


def write_archive(
    files: Iterable[tuple[str, AbstractContextManager[IO[bytes]]]], out: IO[bytes], *, folder: str
) -> None:
    """Write files in the given order under one folder.

    Parameters
    ----------
    files : iterable of (name, open file)
        Each file is entered, read to its end and closed before the next one is taken; memory
        holds one block of it. Parquet is stored as it is, since it is compressed already.
    out : binary file, open for writing
    folder : str
        The name of the release.

    Raises
    ------
    ValueError
        When a name is repeated, or is not a relative path inside the folder.

    Notes
    -----
    The bytes depend on the names, their order, the contents and the version of zlib: times,
    permissions and the system are constants. Files of 2 GiB and more are possible (ZIP64).
    """
    seen: set[str] = set()
    with zipfile.ZipFile(out, "w", allowZip64=True) as archive:
        for name, opened in files:
            if name in seen or not _is_inside(name):
                raise ValueError(f"files must have different relative names, got {name!r}")
            seen.add(name)
            with (
                opened as file,
                archive.open(_entry(f"{folder}/{name}"), "w", force_zip64=True) as to,
            ):
                shutil.copyfileobj(file, to, _BLOCK)


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, date_time=_EPOCH)
    entry.create_system = 3  # Unix, whichever system writes it
    entry.external_attr = 0o100644 << 16
    entry.compress_type = zipfile.ZIP_STORED if path.endswith(".parquet") else zipfile.ZIP_DEFLATED
    entry._compresslevel = _LEVEL  # type: ignore[attr-defined]  # no public way for one entry
    return entry


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return "\\" not in name and not any(part in ("", ".", "..") for part in parts)


ROWS_PER_GROUP = 10_000
BATCH_READ = 100  # rows that are unpacked before their size is known
SCHEMA = pa.schema([pa.field(name, pa.string(), nullable=False) for name in COLUMNS])


def write_parquet(
    rows: Iterable[Mapping[str, Any]],
    file: IO[bytes],
    *,
    schema: pa.Schema = SCHEMA,
    repeated: Collection[str] = ("domain", "origin"),
    about: Mapping[str, str] | None = None,
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
    about : mapping of str to str, optional
        The file's key–value metadata, which readers of its rows do not see.

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
        if about:
            writer.add_key_value_metadata(about)
    return written


def parquet_about(file: IO[bytes]) -> dict[str, str]:
    """Return the key–value metadata of a file."""
    about = pq.read_metadata(file).metadata or {}
    return {key.decode(): value.decode(errors="replace") for key, value in about.items()}


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
