import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.base import File
from django.db import connection
from django.utils.functional import Promise

from winoplatform.artifacts import store
from winoplatform.artifacts.store import AtomicFileStorage
from winoplatform.models import Artifact


def test_an_artifact_comes_back_as_it_went_in() -> None:
    artifact = store.put_bytes(b"twins\n")

    with store.open_artifact(artifact) as file:
        assert file.read() == b"twins\n"
    assert artifact.size == 6


def test_the_same_content_is_stored_once() -> None:
    first, second = store.put_bytes(b"same"), store.put_bytes(b"same")

    assert first == second
    assert Artifact.objects.count() == 1


def test_an_array_opens_as_a_read_only_memory_map() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)

    loaded = store.load_array(store.put_array(array))

    assert isinstance(loaded, np.memmap)
    assert not loaded.flags.writeable
    np.testing.assert_array_equal(loaded, array)


class Broken(io.BytesIO):
    """A file that fails in the middle of being read."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() >= 100:
            raise OSError("the disk is gone")
        return super().read(100)


def test_a_write_that_fails_midway_leaves_nothing(tmp_path: Path) -> None:
    storage = AtomicFileStorage(location=str(tmp_path))

    with pytest.raises(OSError, match="the disk is gone"):
        storage.save("ab/whole", File(Broken(b"x" * 1000)))

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_many_writers_of_the_same_content_make_one_artifact() -> None:
    def write(_: Any) -> str:
        try:
            return store.put_bytes(b"y" * 100_000).sha256
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        names = set(pool.map(write, range(24)))

    assert len(names) == 1
    assert Artifact.objects.count() == 1


def test_what_is_said_of_an_artifact_can_be_translated() -> None:
    said = [field.help_text for field in Artifact._meta.fields if field.help_text]
    assert said
    assert all(isinstance(text, Promise) for text in said)
