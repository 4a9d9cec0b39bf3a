"""Clients that misbehave: they send slowly, or do not read what they asked for."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

# Not the default, which loads all authorities.
TRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE
SMALL_BUFFER = 4096  # bytes that the kernel takes for a client which reads nothing


def connected(port: int, *, tls: bool = False, patience: float = 20.0) -> socket.socket:
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
    plain.settimeout(patience)
    plain.connect(("127.0.0.1", port))
    if not tls:
        return plain
    return TRUSTING.wrap_socket(plain, server_hostname="localhost")


def get(path: str, headers: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()


@contextmanager
def idle_readers(count: int, port: int, request: bytes, *, tls: bool = False) -> Iterator[None]:
    """Ask *count* times, and read no answer."""
    with ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(connected(port, tls=tls)).sendall(request)
        yield
