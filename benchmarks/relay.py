"""Passes connections on: ``python -m benchmarks.relay FD TARGET``, as `benchmarks.namespaces` does.

FD is a socket that listens, TARGET is HOST:PORT or the path of a socket.
"""

import socket
import sys
import threading
from contextlib import suppress

BLOCK = 1 << 16


def main() -> None:
    listening, target = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    while True:
        near, _ = listening.accept()
        threading.Thread(target=_connect, args=(near, target), daemon=True).start()


def _connect(near: socket.socket, target: str) -> None:
    try:
        far = _opened(target)
    except OSError:
        near.close()
        return
    threading.Thread(target=_copy, args=(far, near), daemon=True).start()
    _copy(near, far)


def _opened(target: str) -> socket.socket:
    if target.startswith("/"):
        far = socket.socket(socket.AF_UNIX)
        far.connect(target)
        return far
    host, port = target.rsplit(":", 1)
    far = socket.create_connection((host, int(port)))
    far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return far


def _copy(source: socket.socket, target: socket.socket) -> None:
    if source.family == socket.AF_INET:
        source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with suppress(OSError):  # the other end was killed
        while data := source.recv(BLOCK):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    main()
