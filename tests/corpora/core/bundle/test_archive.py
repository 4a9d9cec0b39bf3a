"""The archive: one folder, the same bytes for the same files, read as a stream."""

import io
import os
import random
import zipfile

import pytest

from corpora.core.bundle.archive import write_archive

FILES = {"README.md": b"text " * 1000, "data/dev.parquet": random.Random(0).randbytes(5000)}


def archive(files=FILES) -> bytes:
    out = io.BytesIO()
    write_archive(((name, io.BytesIO(data)) for name, data in files.items()), out, folder="small-1")
    return out.getvalue()


def test_every_file_is_in_the_folder_with_its_bytes():
    with zipfile.ZipFile(io.BytesIO(archive())) as found:
        assert found.testzip() is None
        assert {name: found.read(f"small-1/{name}") for name in FILES} == FILES
        assert found.namelist() == [f"small-1/{name}" for name in FILES]


def test_texts_are_deflated_and_parquet_is_stored():
    with zipfile.ZipFile(io.BytesIO(archive())) as found:
        text, table = found.infolist()
    assert text.compress_size < text.file_size
    assert table.compress_type == zipfile.ZIP_STORED


def test_two_archives_are_equal_whatever_the_time_and_the_umask(monkeypatch):
    first = archive()
    monkeypatch.setattr("time.time", lambda: 2e9)
    before = os.umask(0o077)
    try:
        assert archive() == first
    finally:
        os.umask(before)


@pytest.mark.parametrize("name", ["../a", "/a", "a//b", "", "a\\b", "./a"])
def test_a_name_outside_the_folder_is_refused(name):
    with pytest.raises(ValueError, match="files must have different relative names"):
        archive({name: b""})


def test_a_repeated_name_is_refused():
    files = [("a", io.BytesIO()), ("a", io.BytesIO())]
    with pytest.raises(ValueError, match="files must have different relative names"):
        write_archive(files, io.BytesIO(), folder="small-1")


def test_a_file_is_closed_before_the_next_is_opened():
    opened = []

    def files():
        for at in range(3):
            assert all(file.closed for file in opened)
            opened.append(io.BytesIO(b"x"))
            yield f"f{at}", opened[-1]

    write_archive(files(), io.BytesIO(), folder="small-1")
    assert all(file.closed for file in opened)
