"""The address of Redis, and one client for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from time import monotonic
from typing import Any

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from winoplatform import embedded

SOCKET_SECONDS = 0.4
"""How long one answer of Redis may take. A user waits for the response, which does not depend on
Redis."""
SILENT_SECONDS = 10.0
"""After a timeout, for how long this process does not ask Redis again: a page may ask many times,
and all of it may wait only once."""
_silence: dict[str, float] = {}
_is_left_alone = False


class OneWait(Retry):
    """Retry once after a broken connection; after a timeout, fail at once for a while."""

    def __init__(self) -> None:
        super().__init__(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))

    def call_with_retry(self, do: Callable[[], Any], *args: Any, **kwargs: Any) -> Any:
        if monotonic() < _silence.get("until", 0.0):
            raise redis.TimeoutError("Redis did not answer a moment ago.")
        try:
            return super().call_with_retry(do, *args, **kwargs)
        except (redis.TimeoutError, TimeoutError):
            _silence["until"] = monotonic() + SILENT_SECONDS
            raise


@contextmanager
def left_alone() -> Iterator[None]:
    """Send no messages from this process meanwhile, and start no Redis for them."""
    global _is_left_alone
    before, _is_left_alone = _is_left_alone, True
    try:
        yield
    finally:
        _is_left_alone = before


def is_used() -> bool:
    """Whether this process sends messages about runs."""
    return not _is_left_alone


def url() -> str:
    """Return the broker's URL, starting the embedded Redis if none is configured.

    The embedded Redis is checked on each call, and started again if it was killed.
    """
    return settings.REDIS_URL or embedded.hold_redis(settings.VAR_DIR / "redis")


def client() -> redis.Redis:
    """Return this process's Redis client (its pool is safe across threads and forks)."""
    return _client(url())


@lru_cache(maxsize=1)
def _client(address: str) -> redis.Redis:
    return redis.Redis.from_url(
        address,
        socket_timeout=SOCKET_SECONDS,
        socket_connect_timeout=SOCKET_SECONDS,
        retry=OneWait(),
    )


def key(name: str) -> str:
    """Return *name* with this installation's prefix, so that installations can share a Redis."""
    return f"{settings.REDIS_KEY_PREFIX}{name}"
