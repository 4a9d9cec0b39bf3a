"""The live server, which can be asked to finish what it has been sent.

A page that closes leaves requests behind: a draft that is being saved, a beacon on its way. The
server continues with them while the test that opened the page is cleared away.
"""

import socket
from contextlib import suppress
from threading import Condition
from typing import Any, ClassVar

from django.core.servers.basehttp import ThreadedWSGIServer

PATIENCE = 30.0  # seconds


class FinishingServer(ThreadedWSGIServer):
    """Knows the connections that it serves."""

    running: ClassVar[set["FinishingServer"]] = set()

    def __init__(self, *args: Any, **options: Any) -> None:
        self.served: set[socket.socket] = set()
        self.changed = Condition()
        super().__init__(*args, **options)
        self.running.add(self)

    def server_close(self) -> None:
        self.running.discard(self)
        super().server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Note the connection while it is accepted: its thread may begin much later."""
        with self.changed:
            self.served.add(request)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self.changed:
                self.served.discard(request)
                self.changed.notify_all()

    def finish(self) -> None:
        """Answer what clients have sent until now, and end their connections.

        Raises TimeoutError where a request is still served after `PATIENCE` seconds.
        """
        self._accept_all()
        with self.changed:
            for connection in self.served:
                _read_no_more(connection)
            if not self.changed.wait_for(lambda: not self.served, PATIENCE):
                raise TimeoutError(f"The live server still serves {self.served}.")

    def _accept_all(self) -> None:
        """Be the last one in the queue of clients, and leave once the server has come to it."""
        with socket.create_connection(self.server_address[:2], PATIENCE) as last:
            last.shutdown(socket.SHUT_WR)
            while last.recv(1024):
                pass


def _read_no_more(connection: socket.socket) -> None:
    """Let the server read what has arrived, and then the end, where it would wait for more."""
    with suppress(OSError):  # the client or the server's thread has ended it
        connection.shutdown(socket.SHUT_RD)


def finish_requests() -> None:
    """Wait until each live server of this process has answered all that it was sent."""
    for server in list(FinishingServer.running):
        server.finish()
