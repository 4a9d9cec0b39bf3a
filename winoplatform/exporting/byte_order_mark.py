"""A byte order mark before any CSV file, by which Excel recognises UTF-8."""

from collections.abc import Callable
from itertools import chain

from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from winoplatform.api.parsing import CSV, MEDIA_TYPES

PARAMETER = "bom"
MARK = "\ufeff".encode()
# They are of the file without its mark.
_OF_FILE = ("ETag", "Accept-Ranges", "Last-Modified")


class ByteOrderMark:
    """Begin a CSV response with a byte order mark if the address has ``bom=1``.

    The parameter is taken out of the query, which views check for names that they do not know. A
    continued download (``Range``) continues the file as it is.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.GET.get(PARAMETER) != "1":
            return self.get_response(request)
        query = request.GET.copy()
        del query[PARAMETER]
        request.META["QUERY_STRING"] = query.urlencode()
        request.GET = query  # type: ignore[assignment]  # as Django's own property returns it
        response = self.get_response(request)
        is_csv = response.get("Content-Type", "").startswith(MEDIA_TYPES[CSV])
        return _marked(response) if is_csv and response.status_code == 200 else response


def _marked(response: HttpResponseBase) -> HttpResponseBase:
    if response.streaming:
        assert isinstance(response, StreamingHttpResponse)
        response.streaming_content = chain([MARK], response.streaming_content)  # type: ignore[arg-type]
    else:
        response.content = MARK + response.content  # type: ignore[attr-defined]
    for name in _OF_FILE:
        response.headers.pop(name, None)
    if "Content-Length" in response:
        response["Content-Length"] = str(int(response["Content-Length"]) + len(MARK))
    return response
