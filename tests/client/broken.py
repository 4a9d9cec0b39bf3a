"""Servers and connections that end in the middle of a file."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx


class BreakingServer(ThreadingHTTPServer):
    """Serves one content, with ranges; ends the connection after some bytes, a number of times.

    Before that, it has no time for some requests, and says in how many seconds it will.
    """

    content = bytes(range(256)) * 400
    breaks, after = 0, 10_000
    busy, busy_status, retry_after = 0, 503, "0"
    knows_ranges = True

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    server: BreakingServer

    def do_GET(self) -> None:
        asked = self.headers.get("Range", "")
        self.server.asked.append(asked)
        if self.server.busy > 0:
            self.server.busy -= 1
            self.send_response(self.server.busy_status)
            self.send_header("Retry-After", self.server.retry_after)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        found = re.fullmatch(r"bytes=(\d+)-", asked)
        is_same = self.headers.get("If-Range") == f'"{self.server.sha256}"'
        start = int(found[1]) if found and is_same and self.server.knows_ranges else 0
        content = self.server.content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.server.breaks > 0:
            self.server.breaks -= 1
            content = content[: self.server.after]
            self.close_connection = True
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def breaking_server() -> Iterator[BreakingServer]:
    with BreakingServer() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class BreakingTransport(httpx.HTTPTransport):
    """Reads at most some bytes of each file."""

    def __init__(self, most: int) -> None:
        self.most, self.n_broken = most, 0
        super().__init__()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if "/files/" in request.url.path and not request.url.path.endswith("/files/"):
            response.stream = self._broken(response.stream)  # type: ignore[assignment]
        return response

    def _broken(self, stream: Any) -> httpx.SyncByteStream:
        owner = self

        class Broken(httpx.SyncByteStream):
            def __iter__(self) -> Iterator[bytes]:
                left = owner.most
                for block in stream:
                    yield block[:left]
                    left -= len(block)
                    if left < 0:
                        owner.n_broken += 1
                        raise httpx.ReadError("The connection was lost.")

            def close(self) -> None:
                stream.close()

        return Broken()
