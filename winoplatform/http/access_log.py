"""Middleware: an id for each request, and a line of the access log when it has been answered.

The line has the pattern of the address in place of the address, and no query, so it contains no
code of a link, no text that was searched for, and no id of what was looked at.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject

from winoplatform.processes import tracing

log = logging.getLogger("winoplatform.access")


class AccessLog:
    """Number each request, and log it when all of its answer was sent or the client has left."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        with tracing.answering(request) as request_id:
            response = self.get_response(request)
            request.trace_id = response[tracing.HEADER] = request_id  # type: ignore[attr-defined]
            self._log_when_sent(request, response, began, request_id)
        return response

    def _log_when_sent(
        self, request: HttpRequest, response: HttpResponseBase, began: float, request_id: str
    ) -> None:
        is_streamed = isinstance(response, StreamingHttpResponse)
        if not is_streamed or isinstance(response, FileResponse) or request.method == "HEAD":
            size = response.get("Content-Length") or len(getattr(response, "content", b""))
            _write(request, response, began, int(size))
        else:
            assert isinstance(response, StreamingHttpResponse)
            parts: Any = response.streaming_content

            def log_it(sent: int) -> None:
                with tracing.within(request=request_id):
                    _write(request, response, began, sent)

            response.streaming_content = _counting(parts, log_it)


def _counting(parts: Iterable[bytes], then: Callable[[int], None]) -> Iterator[bytes]:
    """Yield *parts*, and call *then* with the bytes sent, also if the client breaks off."""
    sent = 0
    try:
        for part in parts:
            sent += len(part)
            yield part
    finally:
        then(sent)


def _write(request: HttpRequest, response: HttpResponseBase, began: float, size: int) -> None:
    match = request.resolver_match
    facts = {
        "method": request.method,
        "route": match.route if match else "",
        "status": response.status_code,
        "milliseconds": round(1000 * (time.perf_counter() - began)),
        "bytes": size,
        "user": _user(request),
    }
    log.info("%(method)s %(route)s %(status)s", facts, extra={"facts": facts})


def _user(request: HttpRequest) -> str | None:
    """Return the pseudonym, if the view has read the user: the log itself queries nothing."""
    user = request.__dict__.get("user")
    if isinstance(user, SimpleLazyObject):
        user = request.__dict__.get("_cached_user")
    return getattr(user, "public_id", None)
