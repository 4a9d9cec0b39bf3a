"""Files that are made while they are sent, with an ETag that is known before."""

import tempfile
from collections.abc import Generator

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from winoplatform.api.ranges import FileToSend, asked_range, described, sent, unchanged
from winoplatform.processes import pools

Blocks = Generator[bytes, None, None]


def streamed_file(
    request: HttpRequest, blocks: Blocks, *, name: str, content_type: str, etag: str
) -> HttpResponseBase:
    """Answer with the file that *blocks* yields: 200, 206, 304, 412 or 416.

    *blocks* is started (``next`` was called once), and closed in any case. For a range the whole
    file is written to a temporary file first, since only then its length is known.
    """
    try:
        pools.hold(request, pools.DOWNLOADS)
        response = unchanged(request, etag)
        if response is None and asked_range(request, etag):
            response = _part(request, blocks, name, content_type, etag)
        if response is None and request.method == "HEAD":
            response = described(HttpResponse(content_type=content_type), name, etag)
    except BaseException:
        blocks.close()
        raise
    if response is None:
        # Closed with the response, also when the client breaks off.
        response = StreamingHttpResponse(blocks, content_type=content_type)
        response = described(response, name, etag)
    else:
        blocks.close()
    response["Vary"] = "Accept, Authorization, Cookie"
    return response


def _part(
    request: HttpRequest, blocks: Blocks, name: str, content_type: str, etag: str
) -> HttpResponseBase:
    file = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the response)
    try:
        for block in blocks:
            file.write(block)
        size = file.tell()
        response = sent(request, FileToSend(name, content_type, etag, size, lambda: file))
    except BaseException:
        file.close()
        raise
    if response.status_code != 206:
        file.close()
    return response
