"""Count the events of all processes in Redis, where any web process reads their sums.

A process adds up what it counts and sends it every few seconds, so no request waits for it. What a
killed process has not sent is lost. While Redis is away the sums grow, but not in number.
"""

import bisect
import json
import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import RedisError

from winoplatform.embedded import ServiceError
from winoplatform.metrics.events import Event
from winoplatform.processes import broker

log = logging.getLogger(__name__)
SEND_SECONDS = 5.0
SUM = "sum"
Part = int | str
Counts = Mapping[tuple[str, Part, str], float]
"""By event, part and value of the label. A counter's part is empty; a histogram's is the number of
a bucket, or `SUM`."""


@dataclass
class Sums:
    """What this process has counted and not sent."""

    is_counting: bool = False
    unsent: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    has_sender: bool = False


_sums = Sums()


def _begin_in_child() -> None:
    # The lock may be held by a thread that the child does not have.
    global _sums
    _sums = Sums(_sums.is_counting)


os.register_at_fork(after_in_child=_begin_in_child)


def start() -> None:
    """Let this process, or its children, count: a web process or a worker."""
    _sums.is_counting = True


def count(event: Event, value: str = "", *, number: float = 1) -> None:
    """Count an event, or a *number* of them, with the value of its label."""
    if number:
        _add({_name(event, "", value): number})


def observe(event: Event, seconds: float, value: str = "") -> None:
    """Count an event that took some *seconds*, with the value of its label."""
    place = bisect.bisect_left(event.buckets, seconds)
    _add({_name(event, place, value): 1, _name(event, SUM, value): seconds})


@contextmanager
def timed(event: Event, value: str = "") -> Iterator[None]:
    """Count how long a block takes, also if it fails."""
    began = time.perf_counter()
    try:
        yield
    finally:
        observe(event, time.perf_counter() - began, value)


def send() -> None:
    """Add this process's sums to those in Redis; keep them if it does not answer."""
    with _sums.lock:
        unsent, _sums.unsent = _sums.unsent, Counter()
    if not unsent:
        return
    try:
        with broker.client().pipeline() as pipe:
            for name, number in unsent.items():
                pipe.hincrbyfloat(key(), name, number)
            pipe.execute()
    except (RedisError, ServiceError):
        with _sums.lock:
            _sums.unsent.update(unsent)


def counts(stored: Mapping[bytes, bytes]) -> Counts:
    """Return the counts that Redis has."""
    read = {}
    for stored_name, number in stored.items():
        event, part, value = json.loads(stored_name)
        read[event, part, value] = float(number)
    return read


def key() -> str:
    return broker.key("events")


def _name(event: Event, part: Part, value: str) -> str:
    return json.dumps([event.name, part, value])


def _add(numbers: dict[str, Any]) -> None:
    if not _sums.is_counting:
        return
    with _sums.lock:
        _sums.unsent.update(numbers)
        if _sums.has_sender:
            return
        _sums.has_sender = True
    threading.Thread(target=_send_for_ever, name="counting", daemon=True).start()


def _send_for_ever() -> None:
    while True:
        time.sleep(SEND_SECONDS)
        try:
            send()
        except Exception:  # another one is sent in some seconds
            log.warning("Counts could not be sent", exc_info=True)
