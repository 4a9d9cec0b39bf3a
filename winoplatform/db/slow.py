"""Log statements that take long, without the values in them."""

import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from winoplatform.metrics import counting, events

log = logging.getLogger("winoplatform.slow")
# What people wrote, and labels, are values: they must not get into a log.
VALUE = re.compile(r"'(?:[^']|'')*'")
LONGEST = 2_000  # characters of a statement


@contextmanager
def timed(sql: Any) -> Iterator[None]:
    """Log a statement that takes longer than ``SLOW_STATEMENT_SECONDS``, also if it fails."""
    began = time.perf_counter()
    try:
        yield
    finally:
        seconds = time.perf_counter() - began
        if 0 < settings.SLOW_STATEMENT_SECONDS <= seconds:
            _report(str(sql), seconds)


def watch(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    """Time a statement of Django; a wrapper for its connections."""
    with timed(sql):
        return execute(sql, params, many, context)


def _report(sql: str, seconds: float) -> None:
    counting.count(events.SLOW_STATEMENTS)
    text = " ".join(VALUE.sub("'…'", sql).split())
    facts = {"milliseconds": round(1000 * seconds), "statement": text[:LONGEST]}
    log.warning("%(milliseconds)d ms: %(statement)s", facts, extra={"facts": facts})
