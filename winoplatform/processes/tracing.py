"""The request, task and run that this thread works for: log records and the audit log name them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from secrets import token_hex

from django.conf import settings
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
    given = request.headers.get(HEADER, "") if settings.HTTPS else ""
    return given if WELL_FORMED.fullmatch(given) else token_hex(16)


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
    found = id_for(request)
    before = current_request.set(request)
    try:
        with within(request=found):
            yield found
    finally:
        current_request.reset(before)
