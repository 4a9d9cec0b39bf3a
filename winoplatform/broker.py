"""Where Redis is, and one client for it."""

from functools import cache

import redis
from django.conf import settings

from winoplatform import embedded


@cache
def url() -> str:
    """Return the broker's URL, starting the embedded Redis where none is configured."""
    return settings.REDIS_URL or embedded.hold_redis(settings.VAR_DIR / "redis")


@cache
def client() -> redis.Redis:
    """Return this process's Redis client (its pool is safe over threads and forks)."""
    return redis.Redis.from_url(url(), socket_timeout=5, socket_connect_timeout=5)


def key(name: str) -> str:
    """Return *name* under this installation's prefix, so that two can share one Redis."""
    return f"{settings.REDIS_KEY_PREFIX}{name}"
