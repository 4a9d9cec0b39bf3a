"""Results that took long to compute, in Redis for all processes, for a week and of a limited size.

What is stored never changes and can be computed again: an absent or silent Redis costs only time.
"""

import logging
import zlib
from contextlib import suppress
from hashlib import sha256

from winoplatform.http.throttle import AWAY
from winoplatform.processes import broker

log = logging.getLogger(__name__)
LARGEST = 256 * 1024
"""Bytes of a stored result. Few comparisons reach a tenth of it."""
SECONDS = 7 * 24 * 3600


def get(name: str) -> bytes | None:
    """Return what is stored under a name; None if nothing is, or Redis is away."""
    try:
        value = broker.client().get(_key(name))
    except AWAY:
        return None
    with suppress(zlib.error):
        return zlib.decompressobj().decompress(value, 64 * LARGEST) if value else None  # type: ignore[arg-type]
    return None


def put(name: str, value: bytes) -> None:
    """Store a value under a name, unless it is too large or Redis is away."""
    packed = zlib.compress(value)
    if len(packed) > LARGEST:
        return
    try:
        broker.client().set(_key(name), packed, ex=SECONDS)
    except AWAY:
        log.warning("A result is not stored for other processes: Redis does not answer.")


def _key(name: str) -> str:
    return broker.key(f"cache:{sha256(name.encode()).hexdigest()}")
