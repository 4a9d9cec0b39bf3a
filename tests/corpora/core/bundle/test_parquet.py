"""Parquet: readable by others, the same bytes for the same rows, flat memory."""

import hashlib
import io
import json
import resource

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora.core.bundle.archive import ROWS_PER_GROUP, write_parquet
from corpora.core.bundle.layout import COLUMNS
from tests.corpora.core.bundle.programs import CROISSANT, LOAD, SERVED, run
from tests.corpora.core.bundle.releases import rows, small_release, write_release


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


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "small-1"
    folder.mkdir()
    write_release(folder, title='A "title": <b>&</b>\n---\n', authors=("Ann: #1", "Eve"))
    return folder


@pytest.mark.long
def test_datasets_loads_the_folder_with_its_configurations(release, tmp_path):
    loaded, rows = run(LOAD, release, tmp_path), small_release()
    assert loaded["default"] == {
        "train": rows["train_xl"],
        "validation": rows["dev"],
        "test": rows["test"],
    }
    assert loaded["train_s"]["train"] == rows["train_s"]


@pytest.mark.long
def test_mlcroissant_accepts_the_description_and_loads_every_record(release, tmp_path):
    found = run(CROISSANT, release, tmp_path)
    assert found["issues"] == []
    assert found["version"] == "http://mlcommons.org/croissant/1.1"
    assert found["limits"]
    for stem, lines in small_release().items():
        assert found["records"][stem] == [
            {f"{stem}/{column}": value for column, value in row.items()} for row in lines
        ]


def test_pandas_reads_json_lines_and_parquet_alike(release):
    for stem in ("train_l", "dev"):
        lines = pd.read_json(release / f"{stem}.jsonl", lines=True, dtype=str)
        table = pd.read_parquet(release / f"data/{stem}.parquet")
        assert lines.to_dict("records") == table[lines.columns].to_dict("records")


def test_every_file_of_the_description_has_its_hash(release):
    about = json.loads((release / "croissant.json").read_text())
    for file in about["distribution"]:
        data = (release / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
        assert file["contentSize"] == f"{len(data)} B"


@pytest.mark.long
def test_a_validator_gets_records_from_the_addresses_of_a_server(release, tmp_path):
    """As the venue's: the description alone is uploaded, and files are fetched from its URLs."""
    found = run(SERVED, release, tmp_path)
    assert found["issues"] == []
    assert found["first"].keys() == small_release().keys()
    for stem, lines in small_release().items():
        assert found["first"][stem] == {f"{stem}/{name}": text for name, text in lines[0].items()}
    assert {f"/data/{stem}.parquet" for stem in small_release()} <= set(found["fetched"])
