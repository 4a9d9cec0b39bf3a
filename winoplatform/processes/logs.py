"""Log records: the request, task and run that a thread works for, and how they are written.

Text from requests is truncated, and what opens an account is masked. The audit log names the
same requests.
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

HEADER = "X-Request-ID"
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)

current_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)
_ids: ContextVar[dict[str, str] | None] = ContextVar("ids", default=None)


def ids() -> dict[str, str]:
    """Return what is known of ``request``, ``task`` and ``run``."""
    return _ids.get() or {}


def request_id() -> str:
    """Return the id of the request that is answered, or that led to this task; or nothing."""
    return ids().get("request", "")


def id_for(request: HttpRequest) -> str:
    """Return the id that the proxy gave a request, or a new one.

    With HTTPS there is a proxy in front. Without one, clients could choose the id of another's
    request.
    """
    trace_id = request.headers.get(HEADER, "") if settings.HTTPS else ""
    return trace_id if WELL_FORMED.fullmatch(trace_id) else token_hex(16)


@contextmanager
def within(**known: str) -> Iterator[None]:
    """Name a request, task or run in every log record of this block."""
    before = _ids.set(ids() | {name: value for name, value in known.items() if value})
    try:
        yield
    finally:
        _ids.reset(before)


@contextmanager
def answering(request: HttpRequest) -> Iterator[str]:
    """Name *request* while it is answered; return its id."""
    trace_id = id_for(request)
    before = current_request.set(request)
    try:
        with within(request=trace_id):
            yield trace_id
    finally:
        current_request.reset(before)


LONGEST = 1000  # characters of a message
LONGEST_REFUSED = 200
# The text of a token, and a code that is in the path because the # before it was lost.
SECRET = re.compile(r"(wino_)\w+|(/(?:invitation|new-password|confirm-address)/)[^\s/?'\"]+")


def masked(text: str) -> str:
    """Return *text* without tokens and codes.

    >>> masked("Not Found: /invitation/3Q-x_1"), masked("Token wino_0a1b")
    ('Not Found: /invitation/…', 'Token wino_…')
    """
    return SECRET.sub(lambda match: f"{match[1] or match[2]}…", text)


class CutFormatter(logging.Formatter):
    """Format as ``logging.Formatter``, truncating messages but not tracebacks."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - called by logging
        record.message = cut(masked(record.message), LONGEST)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - called by logging
        return masked(super().formatException(ei))


class JSONFormatter(CutFormatter):
    """One JSON object per record, with the request, task and run that it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": cut(masked(record.getMessage()), LONGEST),
            **_ids_of(record),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _ids_of(record: logging.LogRecord) -> dict[str, str]:
    # Django logs a refused request after its middleware has ended.
    trace_id = getattr(getattr(record, "request", None), "trace_id", None)
    return ids() | ({"request": trace_id} if trace_id else {})


def cut(text: str, longest: int) -> str:
    """Return *text*, truncated to *longest* characters, with the number left out.

    >>> cut("abcdef", 4)
    'abcd… (2 more characters)'
    """
    left_out = len(text) - longest
    return text if left_out <= 0 else f"{text[:longest]}… ({left_out} more characters)"


class OneShortLine(logging.Filter):
    """Drop the traceback of a record: a refused request is not an error of the platform."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = cut(record.getMessage(), LONGEST_REFUSED), ()
        record.msg = " ".join(str(record.msg).split())
        record.exc_info = record.exc_text = None
        return True


class RefusedInALine(OneShortLine):
    """Shorten only the records of refused permissions; faults keep their traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return super().filter(record) if isinstance(error, PermissionDenied) else True
