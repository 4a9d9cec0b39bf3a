"""What every response carries: cache headers, its security policy, a line in the access log.

Also, on request (``bom=1``), a byte order mark before a CSV file, by which Excel recognises UTF-8.
"""

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject

from winoplatform.api.parsing import CSV, MEDIA_TYPES
from winoplatform.metrics import counting, events
from winoplatform.processes import logs

log = logging.getLogger("winoplatform.access")


class Middleware:
    """A layer around all views; one with hooks only, such as ``process_view``, passes all on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)


class AccessLog(Middleware):
    """Number each request, and log it when all of its answer was sent or the client has left."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        with logs.answering(request) as request_id:
            response = self.get_response(request)
            request.trace_id = response[logs.HEADER] = request_id  # type: ignore[attr-defined]
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
                with logs.within(request=request_id):
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
    match, seconds = request.resolver_match, time.perf_counter() - began
    route = match.route if match else ""
    counting.count(events.REQUESTS, str(response.status_code))
    counting.observe(events.REQUEST_SECONDS, seconds, route)
    facts = {
        "method": request.method,
        "route": route,
        "status": response.status_code,
        "milliseconds": round(1000 * seconds),
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


class PrivateAnswers(Middleware):
    """Forbid browsers and proxies to store the answer to a signed-in request.

    By its credentials, valid or not, so that no page has to read the user. Signing in is included:
    the answer sets the session's cookie.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        name = settings.SESSION_COOKIE_NAME
        with_credentials = name in request.COOKIES or "Authorization" in request.headers
        if with_credentials or name in response.cookies:
            response["Cache-Control"] = "private, no-store"
        return response


HEADER = "Content-Security-Policy"
Directives = Mapping[str, str]
BASE: Directives = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


class ContentSecurityPolicy(Middleware):
    """Give each request a nonce, and each response the policy that belongs to it."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.csp_nonce = secrets.token_urlsafe(16)  # type: ignore[attr-defined]
        response = self.get_response(request)
        directives = {**BASE, **_own(request, response)}
        response[HEADER] = "; ".join(f"{name} {value}" for name, value in directives.items())
        return response


def nonce(request: HttpRequest) -> dict[str, str]:
    """Give templates ``csp_nonce``."""
    return {"csp_nonce": getattr(request, "csp_nonce", "")}


def allow_plotly(request: HttpRequest) -> None:
    """Let the page that answers *request* use Plotly."""
    request.uses_plotly = True  # type: ignore[attr-defined]


def allow_frames(response: HttpResponse, origins: list[str]) -> None:
    """Let pages of *origins* frame this one, and its forms be sent there."""
    response.csp_frames = " ".join(origins)  # type: ignore[attr-defined]
    response.xframe_options_exempt = True  # type: ignore[attr-defined]


def _scripts(request: HttpRequest) -> str:
    if request.resolver_match and request.resolver_match.app_name == "admin":
        return "'self'"
    return f"'nonce-{request.csp_nonce}'"  # type: ignore[attr-defined]


def _own(request: HttpRequest, response: HttpResponseBase) -> dict[str, Any]:
    if not response.get("Content-Type", "").startswith("text/html"):
        return {}  # no script runs in other content, so the answer has nothing random
    directives = {"script-src": _scripts(request)}
    if getattr(request, "uses_plotly", False):
        directives["script-src"] = f"{_scripts(request)} 'unsafe-eval'"
        directives["style-src"] = "'self' 'unsafe-inline'"
    if frames := getattr(response, "csp_frames", ""):
        directives["frame-ancestors"] = frames
        directives["form-action"] = f"'self' {frames}"
    return directives


MARK_PARAMETER = "bom"
BYTE_ORDER_MARK = "\ufeff".encode()
# They are of the file without its mark.
_OF_UNMARKED_FILE = ("ETag", "Accept-Ranges", "Last-Modified")


class ByteOrderMark(Middleware):
    """Begin a CSV response with a byte order mark if the address has ``bom=1``.

    The parameter is taken out of the query, which views check for names that they do not know. A
    continued download (``Range``) continues the file as it is.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.GET.get(MARK_PARAMETER) != "1":
            return self.get_response(request)
        query = request.GET.copy()
        del query[MARK_PARAMETER]
        request.META["QUERY_STRING"] = query.urlencode()
        request.GET = query  # type: ignore[assignment]  # as Django's own property returns it
        response = self.get_response(request)
        is_csv = response.get("Content-Type", "").startswith(MEDIA_TYPES[CSV])
        return _marked(response) if is_csv and response.status_code == 200 else response


def _marked(response: HttpResponseBase) -> HttpResponseBase:
    if response.streaming:
        assert isinstance(response, StreamingHttpResponse)
        response.streaming_content = chain([BYTE_ORDER_MARK], response.streaming_content)  # type: ignore[arg-type]
    else:
        response.content = BYTE_ORDER_MARK + response.content  # type: ignore[attr-defined]
    for name in _OF_UNMARKED_FILE:
        response.headers.pop(name, None)
    if "Content-Length" in response:
        response["Content-Length"] = str(int(response["Content-Length"]) + len(BYTE_ORDER_MARK))
    return response
