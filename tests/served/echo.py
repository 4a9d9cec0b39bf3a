"""A server behind the proxy that tells what has reached it."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LARGE = 24 * 1024 * 1024  # more than any buffer in memory


class Echo(ThreadingHTTPServer):
    """Answers with what it was sent; ``/large`` with many bytes, ``/wait``
    when it is told to, ``/file`` names a file, and ``…/kept/`` may be kept for ten seconds."""

    daemon_threads = True
    request_queue_size = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.go_on = threading.Event()
        self.begun: list[str] = []
        self.sent = threading.Semaphore(0)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that breaks off is no fault."""


class Handler(BaseHTTPRequestHandler):
    server: Echo
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        self.server.begun.append(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        told = {"path": self.path, "headers": dict(self.headers), "bytes": len(body)}
        if self.path == "/wait":
            self.server.go_on.wait(30)
        content = b"x" * LARGE if self.path == "/large" else json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        if self.path.endswith("/kept/"):
            self.send_header("Cache-Control", "public, max-age=10")
        if self.path == "/file":
            self.send_header("X-Accel-Redirect", "/static/frontend/style.css")
        self.end_headers()
        self.wfile.write(content)
        self.server.sent.release()

    do_GET = do_POST = answer  # noqa: N815

    def log_message(self, *_: Any) -> None:
        """Say nothing."""
