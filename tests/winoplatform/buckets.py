"""An S3 server that can be away, slow, full, dead, or break off in the middle of an answer."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

BUCKET = "wino"
FULL = b"<Error><Code>XMinioStorageFull</Code><Message>no space</Message></Error>"
Start = Callable[..., Any]


class Server:
    """The server; ``fault`` is what it does now, and ``requests`` what it was asked."""

    def __init__(self) -> None:
        self.app = DomainDispatcherApplication(create_backend_app)
        self.fault = ""
        self.requests: list[str] = []
        self.start(port=0)
        self.endpoint = f"http://127.0.0.1:{self.http.server_port}"

    def start(self, *, port: int) -> None:
        """Listen at a port; 0: at any that is free."""
        self.http = make_server("127.0.0.1", port, self, threaded=True, request_handler=Silent)
        self.thread = threading.Thread(target=self.http.serve_forever, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Listen no more, and end the answers that are being sent; what is stored stays."""
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    @contextmanager
    def dead(self) -> Iterator[None]:
        """Take no connection in a block."""
        port = self.http.server_port
        self.stop()
        try:
            yield
        finally:
            self.start(port=port)

    def __call__(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        """Answer a request, as WSGI servers ask."""
        method = environ["REQUEST_METHOD"]
        self.requests.append(method)
        if self.fault == "away":
            start("503 Service Unavailable", [("Content-Length", "0")])
            return [b""]
        if self.fault == "full" and method in ("PUT", "POST"):
            start("507 Insufficient Storage", [("Content-Length", str(len(FULL)))])
            return [FULL]
        if self.fault == "slow":
            time.sleep(0.5)
        answer: Iterable[bytes] = self.app(environ, start)
        if self.fault == "broken" and method == "GET":
            return _half(answer)
        return answer


class Silent(WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        pass


def _half(answer: Iterable[bytes]) -> Iterator[bytes]:
    whole = b"".join(answer)
    yield whole[: len(whole) // 2]


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server with an empty bucket."""
    server = Server()
    try:
        urlopen(Request(f"{server.endpoint}/{BUCKET}", method="PUT")).close()
        yield server
    finally:
        server.stop()


def options(server: Server, folder: str, **changes: Any) -> dict[str, Any]:
    """Return the options of a storage in the server's bucket, with its cache in *folder*."""
    return {
        "url": f"s3://{BUCKET}/artifacts",
        "endpoint": server.endpoint,
        "region": "us-east-1",
        "key_id": "key",
        "secret_key": "secret",
        "location": folder,
        "cache_bytes": 1_000_000_000,
        **changes,
    }
