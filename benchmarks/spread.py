"""Clients at the proxy: each from an address of its own, as its limits count by address."""

import socket
import ssl

from benchmarks.besiegers import TRUSTING
from benchmarks.clients import Crowd

TIMEOUT_SECONDS = 5.0


class Spread(Crowd):
    """People who come from different addresses, also over TLS."""

    def __init__(self, port: int, *, tls: bool, people: int) -> None:
        super().__init__(port)
        self.tls, self.opened = tls, 0
        # Before anything is timed: a TLS handshake blocks the other clients of this thread.
        self.ready = [self._open() for _ in range(people)]

    def connected(self) -> socket.socket:
        return self.ready.pop() if self.ready else self._open()

    def _open(self) -> socket.socket:
        self.opened += 1
        plain = self._plain(f"{self.opened // 250 % 250}.{self.opened % 250 + 1}")
        if not self.tls:
            return plain
        return TRUSTING.wrap_socket(plain, server_hostname="localhost")

    def _plain(self, own: str) -> socket.socket:
        """Connect from an address of which *own* are the last two numbers."""
        address = ("127.0.0.1", self.port)
        return socket.create_connection(address, TIMEOUT_SECONDS, (f"127.1.{own}", 0))

    def received(self, link: socket.socket) -> bytes | None:
        """Take what has arrived: over TLS this may be a session ticket, which is no data."""
        link.settimeout(0.0)
        try:
            data = link.recv(65536)
            while isinstance(link, ssl.SSLSocket) and link.pending():
                data += link.recv(65536)
        except (ssl.SSLWantReadError, BlockingIOError):
            return None
        finally:
            link.settimeout(TIMEOUT_SECONDS)
        return data
