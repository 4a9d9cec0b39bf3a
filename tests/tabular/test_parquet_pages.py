"""Parquet files whose pages ask for more memory than the file says: refused unread."""

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora.core.bundle.archive import read_parquet, write_parquet
from corpora.core.bundle.layout import COLUMNS
from tabular.parquet_pages import _Compact, refuse_lying_pages


def written(rows: int = 3, **options: Any) -> bytes:
    file = io.BytesIO()
    texts = [f"text {n} " + "x" * (n % 50) for n in range(rows)]
    pq.write_table(pa.table({"a": texts, "b": list(range(rows))}), file, **options)
    return file.getvalue()


def is_accepted(data: bytes) -> bool:
    file = io.BytesIO(data)
    try:
        refuse_lying_pages(file, pq.ParquetFile(file).metadata)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("use_dictionary", [False, True])
@pytest.mark.parametrize("rows", [0, 1, 20_000])
def test_honest_files_pass(compression: str, version: str, use_dictionary: bool, rows: int) -> None:
    options = {"compression": compression, "data_page_version": version}
    assert is_accepted(
        written(
            rows, use_dictionary=use_dictionary, data_page_size=2_000, row_group_size=7_000,
            write_statistics=True, **options,
        )
    )  # fmt: skip


def test_long_statistics_of_a_page_are_passed_over() -> None:
    file = io.BytesIO()
    table = pa.table({"a": ["x" * 30_000, "y" * 30_000]})
    pq.write_table(table, file, use_dictionary=False, write_statistics=True)
    assert is_accepted(file.getvalue())


def lying() -> bytes:
    """A release's file of which the first page says that it unpacks to 1.5 GB."""
    file = io.BytesIO()
    write_parquet([dict.fromkeys(COLUMNS, "text " * 40)] * 2000, file)
    data = bytearray(file.getvalue())
    column = pq.ParquetFile(io.BytesIO(bytes(data))).metadata.row_group(0).column(1)
    place = column.dictionary_page_offset if column.has_dictionary_page else column.data_page_offset
    reader = _Compact(bytes(data[place : place + 200]))
    assert data[place] >> 4 == 1  # field 1, the kind of page
    reader.place = 2
    assert data[place + 2] >> 4 == 1  # field 2, its bytes unpacked
    reader.place = 3
    reader._varint()
    length = reader.place - 3
    # As long as the true number, so that nothing else moves: the largest of that length.
    data[place + 3 : place + 3 + length] = b"\xfe" + b"\xff" * (length - 2) + b"\x7f"
    return bytes(data)


def test_a_page_that_asks_for_more_than_the_file_says_is_refused_unread() -> None:
    file, before = io.BytesIO(lying()), pa.default_memory_pool().max_memory()
    with pytest.raises(ValueError, match="a page unpacks to more than the file says"):
        list(read_parquet(file))
    assert pa.default_memory_pool().max_memory() - before < 1 << 20


def test_damaged_headers_raise_nothing_but_value_errors_and_most_are_refused() -> None:
    accepted = []
    for place in range(4, 60, 5):
        data = bytearray(written(500))
        data[place : place + 4] = b"\xff\xff\xff\xff"
        accepted.append(is_accepted(bytes(data)))
    assert not all(accepted)
