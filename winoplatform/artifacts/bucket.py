"""Artifacts in a bucket of an S3-compatible store, read through a cache in a local folder."""

import errno
import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.files import File
from django.core.files.storage import Storage

from winoplatform.artifacts.folder import AtomicFileStorage
from winoplatform.errors import StoreAway

log = logging.getLogger(__name__)
# How long a request is repeated, and how long one may take; the second pair is of web processes.
PATIENCE, WEB_PATIENCE = (60, 600), (8, 30)
NEWLY_USED_SECONDS = 600  # a file that was used since is not evicted: its path may be in use
EVICT_SECONDS = 60
FULL = ("status code: 507", "InsufficientStorage", "QuotaExceeded", "StorageFull")
_limits = [*PATIENCE]


def limit() -> None:
    """Let requests to the bucket fail soon, for web processes; call it before the first one."""
    _limits[:] = WEB_PATIENCE


class BucketStorage(Storage):
    """Files named by SHA-256 in a bucket; each process reads copies of them in *location*.

    A copy is checked against its name before it is used. The bucket alone tells what there is: a
    copy without an original is uploaded when the same content is stored again.

    Parameters
    ----------
    url
        ``s3://bucket/prefix``; the prefix may be absent.
    endpoint
        The address of the store; empty for Amazon's.
    location
        The cache's folder, which processes of a machine share.
    cache_bytes
        The size above which the files used longest ago are evicted, but none that was used in the
        last ten minutes.
    """

    def __init__(
        self,
        *,
        url: str,
        endpoint: str,
        region: str,
        key_id: str,
        secret_key: str,
        location: str,
        cache_bytes: int,
    ) -> None:
        self.cache = AtomicFileStorage(location=location)
        self.cache_bytes = cache_bytes
        address = urlsplit(url)
        keys = {"access_key_id": key_id, "secret_access_key": secret_key}
        self._connect: Callable[..., Any] = partial(
            _client,
            address.netloc,
            prefix=address.path.strip("/") or None,
            region=region,
            disable_bulk_delete=True,  # not every store has it
            **({"endpoint": endpoint} if endpoint else {}),
            **(keys if key_id else {}),
            allows_http=endpoint.startswith("http://"),
        )
        self._opened: dict[int, Any] = {}
        self._evict_at = 0.0

    @property
    def client(self) -> Any:
        """The connection of this process: a forked child cannot use its parent's."""
        pid = os.getpid()
        if pid not in self._opened:
            self._opened = {pid: self._connect()}
        return self._opened[pid]

    def path(self, name: str) -> str:
        """Return the path of the file's copy, which is made if there is none."""
        path = self.cache.path(name)
        try:
            os.utime(path)
        except FileNotFoundError:
            self._fetch(name)
        return path

    def exists(self, name: str) -> bool:
        """Return whether the bucket has a file."""
        try:
            self.size(name)
        except FileNotFoundError:
            return False
        return True

    def size(self, name: str) -> int:
        """Return the size in the bucket, in bytes."""
        with _errors(name):
            return int(self.client.head(name)["size"])

    def delete(self, name: str) -> None:
        """Delete a file, which may be absent, and its copy here; others' are evicted in time."""
        with _errors(name):
            self.client.delete(name)
        self.cache.delete(name)

    def names(self) -> Iterator[str]:
        """Yield the names of all files in the bucket."""
        with _errors("*"):
            for batch in self.client.list():
                yield from (entry["path"] for entry in batch)

    def is_intact(self, name: str) -> bool:
        """Return whether the bucket has a file with the content that its name says."""
        try:
            for _ in self._download(name).chunks():
                pass
        except FileNotFoundError:
            return False
        return True

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def delete_drafts(self, *, before: datetime) -> int:
        """Delete what killed writers have left in the cache; return the number of files."""
        return self.cache.delete_drafts(before=before)

    def _open(self, name: str, mode: str = "rb") -> "File[Any]":
        self.path(name)
        try:
            return self.cache.open(name, mode)
        except FileNotFoundError:  # evicted in this moment
            self._fetch(name)
            return self.cache.open(name, mode)

    def _save(self, name: str, content: Any) -> str:
        """Store a copy and upload it: a large file in parts, which appear together."""
        self.cache.save(name, content)
        with _errors(name):
            self.client.put(name, Path(self.cache.path(name)))
        self._evict()
        return name

    def _fetch(self, name: str) -> None:
        self.cache.save(name, self._download(name))
        self._evict()

    def _download(self, name: str) -> "Download":
        with _errors(name):
            return Download(name, self.client.get(name).stream())

    def _evict(self) -> None:
        """Delete copies until they fit; at most once a minute, since it reads the whole folder."""
        now = time.time()
        if now < self._evict_at:
            return
        self._evict_at = now + EVICT_SECONDS
        files = sorted(_copies(Path(self.cache.location)))
        size = sum(bytes_ for _, bytes_, _ in files)
        for used_at, bytes_, path in files:
            if size <= self.cache_bytes or used_at > now - NEWLY_USED_SECONDS:
                break
            path.unlink(missing_ok=True)
            size -= bytes_


class Download(File):  # type: ignore[type-arg]
    """What comes from the bucket, which fails at its end if it is not what its name says."""

    def __init__(self, name: str, stream: Any) -> None:
        super().__init__(None, name)
        self.stream = stream

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        assert self.name is not None
        digest = hashlib.sha256()
        with _errors(self.name):
            for chunk in self.stream:
                data = bytes(chunk)
                digest.update(data)
                yield data
        if digest.hexdigest() != Path(self.name).name:
            log.error("artifact %s is damaged in the bucket", self.name)
            raise FileNotFoundError(errno.ENOENT, "damaged in the bucket", self.name)


def _client(bucket: str, *, allows_http: bool, **options: Any) -> Any:
    retried, longest = _limits
    # Loaded by those alone who have a bucket.
    return import_module("obstore.store").S3Store(
        bucket,
        client_options={
            "allow_http": allows_http,
            "connect_timeout": "5s",
            "timeout": f"{longest}s",
        },
        retry_config={
            "retry_timeout": timedelta(seconds=retried),
            "max_retries": 1_000,
            "backoff": {"max_backoff": timedelta(seconds=5)},
        },
        **options,
    )


def _copies(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for path in folder.glob("*/[0-9a-f]*"):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        yield status.st_mtime, status.st_size, path


@contextmanager
def _errors(name: str) -> Iterator[None]:
    """Turn the client's errors into those of files.

    Raises
    ------
    FileNotFoundError
        If the bucket does not have the file.
    OSError
        With ``ENOSPC`` if the store is full.
    StoreAway
        If the store does not answer, or refuses.
    """
    exceptions = import_module("obstore.exceptions")
    try:
        yield
    except (exceptions.NotFoundError, FileNotFoundError) as error:
        raise FileNotFoundError(errno.ENOENT, "not in the bucket", name) from error
    except exceptions.BaseError as error:
        if any(text in str(error) for text in FULL):
            raise OSError(errno.ENOSPC, "the bucket is full", name) from error
        log.warning("the bucket failed for %s", name, exc_info=True)
        raise StoreAway(name) from error
