"""Django's cache in Redis, for all processes: limits of attempts, and codes that were used.

Where Redis does not answer nothing is stored and no limit applies: an outage of the broker must not
lock users out.
"""

import json
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient

from winoplatform.http.throttle import AWAY
from winoplatform.processes import broker

log = logging.getLogger(__name__)
T = TypeVar("T")


class JSONSerializer:
    """Store values as JSON: what is read from Redis runs no code, as a pickle would."""

    def dumps(self, value: Any) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class BrokerClient(RedisCacheClient):
    """Django's client of a cache, on the connection of `winoplatform.processes.broker`."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return broker.client()


class SharedCache(RedisCache):
    """Django's cache in Redis; without Redis, a cache in which nothing is found."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = BrokerClient

    def add(self, *args: Any, **options: Any) -> bool:
        return _unless_away(super().add, True, *args, **options)

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        return _unless_away(super().get, default, key, default, version)

    def set(self, *args: Any, **options: Any) -> None:
        _unless_away(super().set, None, *args, **options)

    def delete(self, *args: Any, **options: Any) -> bool:
        return _unless_away(super().delete, False, *args, **options)

    def clear(self) -> None:
        """Delete the keys of this cache alone: the database holds the broker's queues as well."""
        _unless_away(self._delete_own_keys, None)

    def _delete_own_keys(self) -> None:
        client = broker.client()
        for key in client.scan_iter(match=self.make_key("*")):
            client.delete(key)


def _unless_away(call: Callable[..., T], otherwise: T, *args: Any, **options: Any) -> T:
    try:
        return call(*args, **options)
    except AWAY:
        log.warning("Limits do not apply: Redis does not answer.")
        return otherwise
