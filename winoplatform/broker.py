"""Where Redis is, and one client for it."""

from functools import lru_cache

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from winoplatform import embedded


def url() -> str:
    """Return the broker's URL, starting the embedded Redis where none is configured.

    Asked anew each time, so an embedded Redis that was killed is started again.
    """
    return settings.REDIS_URL or embedded.hold_redis(settings.VAR_DIR / "redis")


def client() -> redis.Redis:
    """Return this process's Redis client (its pool is safe over threads and forks)."""
    return _client(url())


@lru_cache(maxsize=1)
def _client(address: str) -> redis.Redis:
    # One more try, without a pause: people wait for the answer, and can go on without Redis.
    return redis.Redis.from_url(
        address, socket_timeout=5, socket_connect_timeout=1, retry=Retry(NoBackoff(), 1)
    )


def key(name: str) -> str:
    """Return *name* under this installation's prefix, so that two can share one Redis."""
    return f"{settings.REDIS_KEY_PREFIX}{name}"
