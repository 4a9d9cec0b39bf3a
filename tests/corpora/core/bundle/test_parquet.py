"""Parquet: readable by others, the same bytes for the same rows, flat memory."""

import io
import resource

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora.core.bundle.archive import ROWS_PER_GROUP, write_parquet
from corpora.core.bundle.layout import COLUMNS
from tests.corpora.core.bundle.releases import rows


def written(found) -> io.BytesIO:
    file = io.BytesIO()
    write_parquet(found, file)
    file.seek(0)
    return file


def test_rows_are_read_back_by_pyarrow_and_pandas():
    found = rows(3) + [row | {"answer": "", "sentence": "Naïve “_” 😀\n---"} for row in rows(1)]
    assert pq.read_table(written(found)).to_pylist() == found
    assert pd.read_parquet(written(found)).to_dict("records") == found


def test_equal_rows_have_equal_bytes_from_any_iterator():
    found = rows(200)
    assert written(found).getvalue() == written(iter(found)).getvalue()


@pytest.mark.parametrize("n_pairs", [0, 1, ROWS_PER_GROUP // 2, ROWS_PER_GROUP // 2 + 1])
def test_every_file_has_the_same_columns(n_pairs):
    found = pq.ParquetFile(written(rows(n_pairs)))
    assert found.schema_arrow.names == list(COLUMNS)
    assert set(found.schema_arrow.types) == {pa.string()}
    assert found.metadata.num_rows == 2 * n_pairs


def test_a_row_without_a_column_or_with_a_number_is_refused():
    (first, _) = rows(1)
    with pytest.raises(KeyError):
        written([{"qID": "a"}])
    with pytest.raises(ValueError, match="rows must have values"):
        written([first | {"answer": 1}])


@pytest.mark.long
def test_memory_does_not_grow_with_the_rows(tmp_path):
    (row, _) = rows(1)

    def peak(n):
        with (tmp_path / "rows.parquet").open("wb") as file:
            write_parquet((row | {"qID": str(at)} for at in range(n)), file)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # MiB

    before = peak(50_000)
    assert peak(500_000) - before < 50
