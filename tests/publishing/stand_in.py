"""What stand-ins of targets share: requests in a log, answers that fail on demand."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "token-never-to-be-seen"


class Reply(NamedTuple):
    status: int
    content: Any = b""
    headers: dict[str, str] = {}


@dataclass
class Asked:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def has_token(self) -> bool:
        return self.headers.get("authorization") == f"Bearer {TOKEN}"


@dataclass
class StandIn:
    """A service on a free port; a subclass answers.

    ``failures`` are answers given instead, by the number of the request, from 1.
    """

    url: str = ""
    log: list[Asked] = field(default_factory=list)
    failures: dict[int, Reply] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def answer(self, asked: Asked) -> Reply:
        raise NotImplementedError

    def reply(self, asked: Asked) -> Reply:
        with self.lock:
            self.log.append(asked)
            failure = self.failures.pop(len(self.log), None)
            return failure or self.answer(asked)

    @property
    def writes(self) -> list[str]:
        """What was asked that is not reading."""
        return [f"{one.method} {one.path}" for one in self.log if one.method not in ("GET", "HEAD")]


@contextmanager
def serving(service: StandIn) -> Iterator[Any]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # an answer is one packet
        disable_nagle_algorithm = True

        def any(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            asked = Asked(
                self.command,
                unquote(parts.path),
                parse_qs(parts.query),
                {name.lower(): value for name, value in self.headers.items()},
                self.rfile.read(length),
            )
            reply = service.reply(asked)
            content = reply.content
            sent = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(reply.status)
            kind = "application/octet-stream" if isinstance(content, bytes) else "application/json"
            headers = {"Content-Type": kind, "Content-Length": str(len(sent))} | reply.headers
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(sent)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    for method in ("GET", "HEAD", "POST", "PUT", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.any)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
