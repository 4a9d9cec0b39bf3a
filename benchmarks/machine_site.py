"""The platform on machines that share a database, Redis and a bucket: each behind its own proxy."""

import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, cycle
from pathlib import Path
from typing import Any

from benchmarks.clients import Connection
from benchmarks.namespaces import Machine, clients_of, environment, machine
from benchmarks.spread import TIMEOUT_SECONDS, Spread
from tests.served.proxy import Proxy

WEB_PORT, HTTP, HTTPS = 8000, 80, 443
PATIENCE_SECONDS = 120
PROBE = f"""
from urllib.request import Request, urlopen
headers = {{"Host": "localhost", "X-Forwarded-Proto": "https"}}
urlopen(Request("http://127.0.0.1:{WEB_PORT}/health/", headers=headers), timeout=5)
"""
SETTINGS = {
    "PUBLIC_URL": "https://localhost",  # of the load balancer, which clients here play
    "RUN_DISPATCH_SECONDS": "2",
}


class MachineSite:
    """Web processes behind the proxy, workers, and on one of the machines beat."""

    def __init__(self, at: Machine, environ: dict[str, str], *, with_beat: bool) -> None:
        from django.conf import settings

        from winoplatform.processes.supervisor import ENVIRONMENT, platform_commands

        self.at, self.environ = at, environ | ENVIRONMENT | SETTINGS
        self.environ |= {"SECRET_KEY": settings.SECRET_KEY, "STATIC_DIR": settings.STATIC_ROOT}
        self.commands = platform_commands(host="127.0.0.1", port=WEB_PORT)
        if not with_beat:
            del self.commands["beat"]
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        folder = at.folder / "proxy"
        folder.mkdir()
        self.proxy = Proxy(
            folder, web=WEB_PORT, files=Path(settings.STATIC_ROOT), http=HTTP, https=HTTPS,
            host=at.address, within=at.within(),
        )  # fmt: skip

    def start(self) -> None:
        """Start everything; return when the machine answers through its proxy."""
        for name, words in self.commands.items():
            command = self.at.within(*(word.replace("%h", self.at.name) for word in words))
            with (self.at.folder / f"{name}.log").open("ab") as log:
                self.processes[name] = subprocess.Popen(
                    command, env=self.environ, stdout=log, stderr=log
                )
        # As the health check of a load balancer, which sends a machine nothing before.
        probe = self.at.within(sys.executable, "-c", PROBE)
        end = time.monotonic() + PATIENCE_SECONDS
        while subprocess.run(probe, stderr=subprocess.DEVNULL).returncode:
            if time.monotonic() > end:
                raise TimeoutError((self.at.folder / "web.log").read_text(errors="replace"))
            time.sleep(0.2)
        self.proxy.start()

    def ask(self, method: str, path: str, *, body: Any = None, **headers: str) -> Any:
        """Send one request to the machine's proxy."""
        from tests.served.people import ask

        return ask(HTTPS, method, path, host=self.at.address, tls=True, body=body, **headers)

    def stop(self) -> None:
        """Let the proxy end what it has begun and take nothing more; then stop what is behind."""
        self.proxy.process.send_signal(signal.SIGQUIT)
        self.proxy.process.wait(PATIENCE_SECONDS)
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait(PATIENCE_SECONDS)

    def restart(self) -> float:
        """Return for how many seconds the machine was out of use."""
        began = time.monotonic()
        self.stop()
        self.start()
        return time.monotonic() - began


@contextmanager
def sites(folder: Path, count: int, endpoint: str, **settings: str) -> Iterator[list[MachineSite]]:
    """Run the platform on so many machines, with the bucket at *endpoint*."""
    from winoplatform.http import static_files
    from winoplatform.processes import broker

    static_files.collect()
    with ExitStack() as stack:
        machines = [stack.enter_context(machine(n + 1, folder / f"{n}")) for n in range(count)]
        stack.enter_context(clients_of(machines))
        running = []
        for number, at in enumerate(machines):
            environ = environment(at, endpoint, redis=broker.url()) | settings
            running.append(MachineSite(at, environ, with_beat=not number))
        for site in running:
            stack.callback(site.stop)
            site.start()
        yield running


class Balanced(Spread):
    """Clients of a load balancer: each request goes to another machine than the one before.

    A machine that takes no connection is left out.
    """

    def __init__(self, running: Sequence[MachineSite]) -> None:
        self.addresses = deque(site.at.address for site in running)
        self._parked: dict[int, socket.socket] = {}
        super().__init__(HTTPS, tls=True, people=0)

    def _plain(self, own: str) -> socket.socket:
        self.addresses.rotate()
        *first, last = self.addresses
        for address in first:
            with suppress(OSError):
                return self._from(own, address)
        return self._from(own, last)

    def _from(self, own: str, address: str) -> socket.socket:
        source = (f"10.78.{own}", 0)
        return socket.create_connection((address, self.port), TIMEOUT_SECONDS, source)

    def _send(self, connection: Connection) -> None:
        """Send the request by the other one of the client's two connections."""
        before, connection.link = connection.link, self._parked.pop(id(connection), None)
        if before is not None:
            self._polled.unregister(before)
            self._parked[id(connection)] = before
        if connection.link is not None:
            self._poll(connection)
        super()._send(connection)


def alternately(running: Sequence[MachineSite]) -> Any:
    """Return a function that asks each of the machines in turn, and returns the JSON answer."""
    turns = cycle(running)

    def asked(token: str, method: str, path: str, body: Any = None) -> Any:
        answer = next(turns).ask(method, path, body=body, Authorization=f"Token {token}")
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.body[:500]!r}")
        return answer.json if "json" in answer.headers["Content-Type"] else answer.body

    return asked


def said_by(running: Sequence[MachineSite]) -> str:
    """Return what all processes have logged."""
    logs = chain.from_iterable(site.at.folder.glob("*.log") for site in running)
    return "\n".join(path.read_text(errors="replace") for path in logs)
