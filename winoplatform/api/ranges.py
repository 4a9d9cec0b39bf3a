"""Files over HTTP: conditional requests, and one byte range, so that a download can be continued.

Source: RFC 9110, sections 8.8 (ETag), 13 (conditional requests) and 14 (ranges).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, TypeVar

from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag

from winoplatform.api.errors import shape

R = TypeVar("R", bound=HttpResponseBase)
BLOCK = 64 * 1024
_ONE_RANGE = re.compile(r"bytes\s*=\s*(\d{0,18})-(\d{0,18})\s*", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileToSend:
    """A file as a response sends it; equal ``etag`` means equal bytes."""

    name: str
    content_type: str
    etag: str
    size: int
    open: Callable[[], IO[bytes]]


class Part:
    """The bytes of an open file from *start* to *stop*; closed with the response."""

    def __init__(self, file: IO[bytes], start: int, stop: int) -> None:
        self.file, self.left = file, stop - start
        file.seek(start)

    def __iter__(self) -> Iterator[bytes]:
        while self.left and (block := self.file.read(min(BLOCK, self.left))):
            self.left -= len(block)
            yield block

    def close(self) -> None:
        self.file.close()


def sent(request: HttpRequest, file: FileToSend) -> HttpResponseBase:
    """Answer with *file*: 200, 206 for a range of it, 304 or 412 by its ETag, or 416.

    Several ranges in one request are answered with the whole file, as is a range with an
    ``If-Range`` that is not the file's ETag.
    """
    answer = unchanged(request, file.etag)
    if answer is not None:
        return answer
    byte_range = asked_range(request, file.etag)
    if byte_range is None:
        return _whole(file)
    start, stop = _bounds(byte_range, file.size)
    if start >= stop:
        return _nothing_there(file.size)
    part = StreamingHttpResponse(
        Part(file.open(), start, stop), status=206, content_type=file.content_type
    )
    part["Content-Range"] = f"bytes {start}-{stop - 1}/{file.size}"
    part["Content-Length"] = str(stop - start)
    return described(part, file.name, file.etag)


def unchanged(request: HttpRequest, etag: str) -> HttpResponseBase | None:
    """Return the 304 or 412 of a conditional request; None if the file is to be sent."""
    return get_conditional_response(request, etag=quote_etag(etag))


def asked_range(request: HttpRequest, etag: str) -> tuple[str, str] | None:
    """Return the two numbers of the range to be sent, as text; None for the whole file."""
    if request.method != "GET" or request.headers.get("If-Range", etag).strip('"') != etag:
        return None
    match = _ONE_RANGE.fullmatch(request.headers.get("Range", "").strip())
    if match is None or not any(match.groups()):
        return None
    first, last = match.groups()
    return None if first and last and int(last) < int(first) else (first, last)


def _bounds(ends: tuple[str, str], size: int) -> tuple[int, int]:
    first, last = ends
    if not first:  # the last so many bytes
        return (max(size - int(last), 0), size) if int(last) else (size, size)
    return int(first), min(int(last) + 1, size) if last else size


def _whole(file: FileToSend) -> HttpResponseBase:
    response = FileResponse(file.open(), content_type=file.content_type)
    response["Content-Length"] = str(file.size)
    return described(response, file.name, file.etag)


def _nothing_there(size: int) -> HttpResponseBase:
    message = f"The file has {size:,} bytes, and the range begins after them."
    response = JsonResponse(shape("range_not_satisfiable", message, {"size": size}), status=416)
    response["Content-Range"] = f"bytes */{size}"
    return response


def described(response: R, name: str, etag: str) -> R:
    """Add the headers that every response with the file has."""
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["ETag"] = quote_etag(etag)
    response["Accept-Ranges"] = "bytes"
    return response
