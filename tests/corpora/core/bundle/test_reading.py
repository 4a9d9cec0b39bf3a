"""A zip file from a stranger: limits before and while it is read."""

import io
import tracemalloc
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora.core.bundle import reading
from corpora.core.bundle.archive import read_parquet
from corpora.core.bundle.reading import open_bundle

MB = 1 << 20


def packed(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"r/{name}", content)
    return path


def refused(path: Path) -> str:
    with pytest.raises(ValueError, match=r"zip file|more than") as refusal, open_bundle(path):
        pass
    return str(refusal.value)


def test_a_small_zip_file_of_zeros_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", zeros=bytes(64 * MB))
    assert path.stat().st_size < MB
    tracemalloc.start()
    assert "r/zeros has more than 100 times the bytes" in refused(path)
    assert tracemalloc.get_traced_memory()[1] < MB
    tracemalloc.stop()


def test_text_that_packs_well_is_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", text=b'{"qID": "a"}\n' * 10_000)
    with open_bundle(path) as bundle:
        assert sum(1 for _ in bundle.rows("text")) == 10_000


def test_a_size_that_lies_ends_the_file_there(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", zeros=bytes(64 * MB))
    content, said = bytearray(path.read_bytes()), (64 * MB).to_bytes(4, "little")
    for _ in range(content.count(said)):
        content = content.replace(said, (1000).to_bytes(4, "little"))
    path.write_bytes(content)
    with open_bundle(path) as bundle, pytest.raises(zipfile.BadZipFile, match="CRC"):
        bundle.size("zeros")


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_FILES", 2)
    assert "more than 2 files" in refused(packed(tmp_path / "a.zip", a=b"", b=b"", c=b""))


def test_all_files_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 5)
    assert "more than 5 bytes" in refused(packed(tmp_path / "a.zip", a=b"abc", b=b"abc"))


def test_a_line_and_a_document_have_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 9)
    monkeypatch.setattr(reading, "LARGEST_DOCUMENT", 9)
    with open_bundle(packed(tmp_path / "a.zip", a=b"123456789\n", b=b"1234567890")) as bundle:
        with pytest.raises(ValueError, match="a line has more than 9 bytes"):
            list(bundle.lines("b"))
        with pytest.raises(ValueError, match="it has more than 9 bytes"):
            bundle.document("b")


@pytest.mark.long
def test_one_value_of_a_parquet_file_cannot_stand_for_a_million_rows() -> None:
    file = io.BytesIO()
    value = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), ["x" * 10_000])
    pq.write_table(pa.table({"a": value}).cast(pa.schema([("a", pa.string())])), file)
    assert file.tell() < MB
    with pytest.raises(ValueError, match="unpacks to more than"):
        list(read_parquet(file))
