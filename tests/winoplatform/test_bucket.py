"""Artifacts in a bucket: stored once, read through a cache, and nothing lost when it fails."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.test import override_settings

from filtering import services
from tests.api.calls import assert_error, client_of
from tests.factories import ReleaseFactory, ReleaseFileFactory, SnapshotFactory
from tests.filtering.stages import TINY, carried
from tests.winoplatform.buckets import Server, options, serving
from winoplatform.artifacts import bucket, checking, store, upkeep
from winoplatform.artifacts.bucket import BucketStorage
from winoplatform.errors import FileMissing, StoreAway, disk_full, unavailable
from winoplatform.models import Artifact
from winoplatform.runs import attempts, kinds
from workers.models import User

Use = Callable[..., BucketStorage]


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(bucket, "_limits", [2, 5])
    running.requests.clear()
    yield running
    running.fault = ""


@contextmanager
def bucket_in(server: Server, folder: Path, **changes: Any) -> Iterator[BucketStorage]:
    backends = {
        **settings.STORAGES,
        "artifacts": {
            "BACKEND": "winoplatform.artifacts.bucket.BucketStorage",
            "OPTIONS": options(server, str(folder), **changes),
        },
    }
    with override_settings(STORAGES=backends):
        storage = storages["artifacts"]
        assert isinstance(storage, BucketStorage)
        yield storage
    storages._storages.clear()


@pytest.fixture
def storage(server: Server, tmp_path: Path) -> Iterator[BucketStorage]:
    with bucket_in(server, tmp_path / "cache") as storage:
        yield storage


@pytest.fixture
def elsewhere(server: Server, tmp_path: Path) -> Callable[..., Any]:
    """Another machine, whose cache is empty."""
    return lambda name="other", **changes: bucket_in(server, tmp_path / name, **changes)


def copies(storage: BucketStorage) -> set[str]:
    return {path.name for path in Path(storage.cache.location).glob("*/*")}


def test_what_one_machine_stores_another_reads_and_maps(
    storage: BucketStorage, elsewhere: Callable[..., Any]
) -> None:
    matrix = np.random.default_rng(0).normal(size=(400_000, 2))  # 6.4 MB: in two parts
    artifact = store.put_array(matrix)
    with elsewhere() as other:
        again = store.load_array(artifact)
        assert isinstance(again, np.memmap)
        assert np.array_equal(again, matrix)
        assert copies(other) == {artifact.sha256}


def test_the_same_content_is_uploaded_once_and_read_again_without_a_request(
    server: Server, storage: BucketStorage
) -> None:
    artifact = store.put_bytes(b"once")
    assert server.requests.count("PUT") == 1
    assert store.put_bytes(b"once") == artifact
    assert server.requests.count("PUT") == 1
    server.fault = "away"
    with store.open_artifact(artifact) as file:
        assert file.read() == b"once"


def test_a_file_that_was_damaged_in_the_bucket_is_never_read(
    storage: BucketStorage, elsewhere: Callable[..., Any]
) -> None:
    artifact = store.put_bytes(b"as it was")
    storage.client.put(artifact.storage_name, b"as it is.")
    with elsewhere() as other:
        with pytest.raises(FileNotFoundError, match="damaged"):
            store.open_artifact(artifact)
        assert copies(other) == set()


def test_the_cache_keeps_to_its_size_but_for_what_is_in_use(
    storage: BucketStorage, elsewhere: Callable[..., Any]
) -> None:
    old, older, new = (store.put_bytes(bytes([n]) * 1_000) for n in range(3))
    with elsewhere(cache_bytes=2_500) as other:
        for artifact, age in ((older, 3_000), (old, 2_000)):
            path = store.local_path(artifact.sha256)
            os.utime(path, (time.time() - age,) * 2)
        other._evict_at = 0
        store.local_path(new.sha256)
        assert copies(other) == {old.sha256, new.sha256}
        other.cache_bytes, other._evict_at = 0, 0
        other._evict()
        assert copies(other) == {new.sha256}
        with store.open_artifact(older) as file:
            assert file.read() == b"\1" * 1_000


@pytest.mark.long
@pytest.mark.parametrize("fault", ["away", "broken"])
def test_a_bucket_that_fails_is_said_so_and_a_short_failure_is_not_noticed(
    fault: str, server: Server, storage: BucketStorage, elsewhere: Callable[..., Any]
) -> None:
    artifact = store.put_bytes(b"a file" * 100)
    with elsewhere() as other:
        server.fault = fault
        with pytest.raises(StoreAway) as caught:
            store.open_artifact(artifact)
        refusal = unavailable(caught.value)
        assert refusal is not None
        assert (refusal.code, refusal.status) == ("store_away", 503)
        assert copies(other) == set()
        server.fault = ""
        with store.open_artifact(artifact) as file:
            assert file.read() == b"a file" * 100


@pytest.mark.long
def test_what_could_not_be_uploaded_is_uploaded_the_next_time(
    server: Server, storage: BucketStorage
) -> None:
    server.fault = "full"
    with pytest.raises(OSError, match="the bucket is full") as caught:
        store.put_bytes(b"too much")
    full = disk_full(caught.value)
    assert full is not None
    assert full.status == 507
    server.fault = ""
    assert store.is_intact(store.put_bytes(b"too much").sha256)


@pytest.mark.long
def test_a_slow_bucket_is_waited_for(server: Server, storage: BucketStorage) -> None:
    server.fault = "slow"
    assert store.is_intact(store.put_bytes(b"slowly").sha256)


@pytest.mark.long
def test_a_run_whose_bucket_is_away_goes_on_when_it_is_back(
    server: Server, storage: BucketStorage
) -> None:
    snapshot = SnapshotFactory()
    server.fault = "away"
    with pytest.raises(StoreAway):
        kinds.execute_here(snapshot)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.stalled_attempts) == ("running", 0)
    server.fault = ""
    attempts.release_all_leases()
    carried(snapshot)
    assert store.is_intact(snapshot.questions_id)


@pytest.mark.long
def test_pages_say_that_the_store_is_away(
    server: Server, storage: BucketStorage, dana: User, elsewhere: Callable[..., Any]
) -> None:
    release = ReleaseFactory(finished=True, is_public=True)
    file = ReleaseFileFactory(release=release)
    address = f"/api/v1/releases/{release.public_id}/files/{file.name}"
    with elsewhere():
        server.fault = "away"
        answer = client_of(dana).get(address)
        assert answer.status_code == 503, answer.content
        assert answer.json()["error"]["code"] == "store_away"


def test_a_file_that_the_store_lacks_is_said_so(
    storage: BucketStorage, dana: User, elsewhere: Callable[..., Any]
) -> None:
    snapshot = SnapshotFactory(finished=True)
    file = ReleaseFileFactory(release=ReleaseFactory(finished=True, snapshot=snapshot))
    for artifact in (file.artifact, snapshot.questions):
        storage.client.delete(artifact.storage_name)
    with elsewhere():
        answer = client_of(dana).get(f"/api/v1/releases/{file.release.public_id}/files/{file.name}")
        assert_error(answer, 503, "file_missing")
        encoding = services.encode(snapshot=snapshot, by=None, encoder=TINY)
        with pytest.raises(FileMissing):
            kinds.execute_here(encoding)
        encoding.refresh_from_db()
        assert encoding.failure.startswith("A file of this is missing in the store")


def test_a_sweep_deletes_from_the_bucket_too(
    storage: BucketStorage, elsewhere: Callable[..., Any]
) -> None:
    artifact = store.put_bytes(b"dropped")
    upkeep.drop([artifact.sha256])
    with elsewhere():
        assert not store.is_intact(artifact.sha256)


def test_a_check_finds_what_differs_and_stores_it_again(
    storage: BucketStorage, elsewhere: Callable[..., Any]
) -> None:
    intact, missing, damaged = (
        SnapshotFactory(finished=True, questions=store.put_bytes(data)).questions
        for data in (b"intact", b"missing", b"damaged")
    )
    storage.client.delete(missing.storage_name)
    storage.client.put(damaged.storage_name, b"changed")
    with elsewhere("empty"):
        found = checking.check_artifacts()
        assert (found.missing, found.damaged) == ([missing.sha256], [damaged.sha256])
        with pytest.raises(CommandError, match="missing or damaged"):
            call_command("check_artifacts", "--sizes")
    found = checking.check_artifacts()  # from the copies in the cache
    assert set(found.repaired) == {missing.sha256, damaged.sha256}
    assert (found.checked, found.missing, found.damaged) == (3, [], [])
    assert store.is_intact(intact.sha256)


def test_a_folder_becomes_a_bucket_by_a_check(
    own_artifacts: None, artifacts_folder: str, elsewhere: Callable[..., Any]
) -> None:
    snapshot, unused = SnapshotFactory(finished=True), store.put_bytes(b"unused")
    with elsewhere() as bucket_:
        call_command("check_artifacts", "--repair-from", artifacts_folder)
        assert {*bucket_.names()} >= {snapshot.questions.storage_name}
        assert unused.storage_name not in {*bucket_.names()}
        assert store.is_intact(snapshot.questions_id)
        assert Artifact.objects.count() == 2
