"""Which Celery workers are alive: each writes a key to Redis, which expires."""

import json
from collections.abc import Iterable
from functools import cache

from redis.exceptions import RedisError

from winoplatform.embedded import ServiceError
from winoplatform.processes import broker

FADES_AFTER = 20  # seconds; a worker writes every two


@cache
def _queues_of(hostname: str) -> list[str]:
    return []


def beat(hostname: str, *, queues: Iterable[str] | None = None) -> None:
    """Record that the worker *hostname* is alive; its queues are remembered from the first call."""
    queue_names = _queues_of(hostname)
    if queues is not None:
        queue_names[:] = sorted(queues)
    if queue_names:
        name = broker.key(f"worker:{hostname}")
        broker.client().set(name, json.dumps(queue_names), ex=FADES_AFTER)


def alive() -> dict[str, list[str]] | None:
    """Return the queues of each live worker by host name; None if Redis does not answer."""
    try:
        names = sorted(broker.client().scan_iter(match=broker.key("worker:*"), count=1000))
        beats = broker.client().mget(names) if names else []
    except (RedisError, ServiceError):
        return None
    start = len(broker.key("worker:"))
    return {
        name.decode()[start:]: json.loads(value)
        for name, value in zip(names, beats, strict=True)
        if value is not None
    }
