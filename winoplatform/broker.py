"""The address of Redis, and one client for it."""

from functools import lru_cache

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from winoplatform import embedded


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
    # One retry without a pause: a user waits for the response, which does not depend on Redis.
    return redis.Redis.from_url(
        address, socket_timeout=5, socket_connect_timeout=1, retry=Retry(NoBackoff(), 1)
    )


def key(name: str) -> str:
    """Return *name* with this installation's prefix, so that installations can share a Redis."""
    return f"{settings.REDIS_KEY_PREFIX}{name}"
