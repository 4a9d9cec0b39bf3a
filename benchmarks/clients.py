"""Many simulated validators in one thread: each is a generator with a connection of its own.

The client must be cheap, because it shares the machine with the server it measures: a request is
one write and usually one read of a persistent connection, and responses are parsed only as far as
needed.
"""

import heapq
import json
import selectors
import socket
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

PATIENCE_SECONDS = 30.0
RETRY_SECONDS = 0.5

Answer = tuple[int, Any]  # status (0: no response), body
Step = tuple[Any, ...]  # ("POST" or "GET", kind, path, body, planned) or ("wait", seconds)
Client = Generator[Step, Any, None]


def post(kind: str, path: str, body: Any = None, *, planned: float = 0.0) -> Step:
    """Send bytes or JSON to an address; *kind* is the name under which the seconds are kept.

    With *planned*, a time of ``time.perf_counter``, it is not sent earlier, and its seconds count
    from then, also if it is sent later.
    """
    return "POST", kind, path, body, planned


def get(kind: str, path: str, *, planned: float = 0.0) -> Step:
    return "GET", kind, path, None, planned


def wait(seconds: float) -> Step:
    return "wait", seconds


@dataclass
class Log:
    """Measurements: seconds by kind of request, and counts of responses by kind and status."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    statuses: dict[tuple[str, int], int] = field(default_factory=dict)

    def note(self, kind: str, status: int, seconds: float) -> None:
        if status:
            self.seconds.setdefault(kind, []).append(seconds)
        self.statuses[kind, status] = self.statuses.get((kind, status), 0) + 1


@dataclass
class Connection:
    """The connection of one validator: its request and the part of the response received."""

    validator: Client
    headers: bytes
    link: socket.socket | None = None
    request: bytes = b""
    kind: str = ""
    sent_at: float = 0.0
    answer: bytearray = field(default_factory=bytearray)
    is_fresh: bool = False


class Crowd:
    """Runs validators against a server until time is up or all have finished."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.log = Log()
        self._polled = selectors.DefaultSelector()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0
        self._busy: set[int] = set()
        self._connections: list[Connection] = []
        self._ended = 0
        self.unanswered = 0
        self.late: list[float] = []  # seconds by which this process was late with what was due

    def headers(self, login: str) -> dict[str, str]:
        """What everybody sends with each request; here a login is a token of the API."""
        return {"Authorization": f"Token {login}", "Content-Type": "application/json"}

    def connected(self) -> socket.socket:
        """Open a connection to the server."""
        return socket.create_connection(("127.0.0.1", self.port), 5)

    def received(self, link: socket.socket) -> bytes | None:
        """Take what has arrived: nothing at the end, None if there is no data yet."""
        return link.recv(65536)

    def run(
        self, validators: Iterable[tuple[str, Client]], *, seconds: float = float("inf")
    ) -> Log:
        """Run (login, validator) pairs; at the end, wait for pending responses."""
        for login, validator in validators:
            headers = {"Host": "127.0.0.1", **self.headers(login)}.items()
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
            connection = Connection(validator, lines.encode())
            self._connections.append(connection)
            self._step(connection, None)
        end = time.perf_counter() + seconds
        while self._ended < len(self._connections) and time.perf_counter() < end:
            self._turn(end)
        end = time.perf_counter() + PATIENCE_SECONDS
        self._due = []
        while self._busy and time.perf_counter() < end:
            self._turn(end, is_over=True)
        self.unanswered = len(self._busy)
        for connection in self._connections:
            self._close(connection)
        return self.log

    def _turn(self, end: float, *, is_over: bool = False) -> None:
        now = time.perf_counter()
        while self._due and self._due[0][0] <= now:
            due, _, call = heapq.heappop(self._due)
            self.late.append(now - due)
            call()
        until = min([end, *(due[0] for due in self._due[:1])])
        for key, _ in self._polled.select(max(0.0, min(1.0, until - time.perf_counter()))):
            self._read(key.data, is_over)

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._due, (time.perf_counter() + seconds, self._number, call))

    def _step(self, connection: Connection, answer: Answer | None) -> None:
        try:
            step = connection.validator.send(answer)  # type: ignore[arg-type]
        except StopIteration:
            self._ended += 1
            return
        if step[0] == "wait":
            self._later(step[1], lambda: self._step(connection, None))
            return
        if step[4] > time.perf_counter():
            self._later(step[4] - time.perf_counter(), lambda: self._ask(connection, step))
            return
        self._ask(connection, step)

    def _ask(self, connection: Connection, step: Step) -> None:
        method, connection.kind, path, body, planned = step
        data = body if isinstance(body, bytes) else b"" if body is None else _json(body)
        connection.request = b"%b %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b" % (
            method.encode(),
            path.encode(),
            connection.headers,
            len(data),
            data,
        )
        connection.sent_at = planned or time.perf_counter()
        self._send(connection)

    def _send(self, connection: Connection) -> None:
        connection.answer.clear()
        self._busy.add(id(connection))
        try:
            connection.is_fresh = connection.link is None
            if connection.link is None:
                connection.link = self.connected()
                connection.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._poll(connection)
            connection.link.sendall(connection.request)
        except OSError:
            self._broken(connection)

    def _poll(self, connection: Connection) -> None:
        assert connection.link is not None
        self._polled.register(connection.link, selectors.EVENT_READ, connection)

    def _read(self, connection: Connection, is_over: bool) -> None:
        assert connection.link is not None
        try:
            data = self.received(connection.link)
        except OSError:
            data = b""
        if data is None:
            return
        if not data:
            self._broken(connection)
            return
        connection.answer += data
        head, _, body = bytes(connection.answer).partition(b"\r\n\r\n")
        length = _length(head)
        if length is None or len(body) < length:
            return
        if b"onnection: close" in head:
            self._close(connection)
        self._busy.discard(id(connection))
        status = int(head[9:12])
        self.log.note(connection.kind, status, time.perf_counter() - connection.sent_at)
        is_json = b"application/json" in head
        self._hand_over(connection, (status, json.loads(body) if is_json else None), is_over)

    def _hand_over(self, connection: Connection, answer: Answer, is_over: bool) -> None:
        if not is_over:
            self._step(connection, answer)
            return
        with suppress(
            StopIteration
        ):  # the validator records the response; no further request is sent
            connection.validator.send(answer)

    def _broken(self, connection: Connection) -> None:
        """Reconnect if an idle connection was closed; retry later if the server is down."""
        was_fresh = connection.is_fresh
        self._close(connection)
        if id(connection) not in self._busy:
            return
        if not was_fresh:
            self._send(connection)
            return
        self._busy.discard(id(connection))
        self.log.note(connection.kind, 0, 0.0)
        self._later(RETRY_SECONDS, lambda: self._step(connection, (0, None)))

    def _close(self, connection: Connection) -> None:
        if connection.link is not None:
            self._polled.unregister(connection.link)
            connection.link.close()
            connection.link = None


def _json(body: Any) -> bytes:
    return json.dumps(body).encode()


def _length(head: bytes) -> int | None:
    """Return the length of the body; None if the header is incomplete."""
    lower = head.lower()
    if b" 204 " in lower[:15]:
        return 0
    start = lower.find(b"content-length:")
    if start < 0:
        return None
    return int(lower[start + 15 :].split(b"\r\n", 1)[0])
