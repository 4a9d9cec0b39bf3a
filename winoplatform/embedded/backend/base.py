"""Django's PostgreSQL backend on the embedded server.

Settings use it instead of an address::

    DATABASES = {"default": {"ENGINE": "winoplatform.embedded.backend", "NAME": "winoplatform"}}
    VAR_DIR = Path(…)  # the server lives in VAR_DIR / "postgres"

The server is started or joined when the first connection is opened, so ``manage.py check`` and
mypy's Django plugin start nothing. The rest is Django's: the pool in OPTIONS, test databases on
the same server, ``dbshell``.
"""

import shutil
import time
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from django.db.backends.postgresql.client import DatabaseClient as PostgresClient
from psycopg.conninfo import conninfo_to_dict

from winoplatform.embedded import hold_postgres
from winoplatform.embedded.postgres import program

LOOK_SECONDS = 1.0


class DatabaseClient(PostgresClient):
    """``dbshell``: the system's psql if there is one (it has line editing), else the wheel's."""

    connection: "DatabaseWrapper"

    @classmethod
    def settings_to_cmd_args_env(
        cls, settings_dict: dict[str, Any], parameters: Iterable[str]
    ) -> tuple[list[str], dict[str, str] | None]:
        """Return psql's arguments and environment."""
        args, environment = super().settings_to_cmd_args_env(settings_dict, parameters)
        return [shutil.which("psql") or str(program("psql")), *args[1:]], environment

    def runshell(self, parameters: Iterable[str]) -> None:
        """Run psql on the server, starting it if necessary."""
        self.connection.join_server()
        super().runshell(parameters)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that determines its server's address when it is opened."""

    client_class = DatabaseClient
    _look_again_at = 0.0

    def join_server(self) -> None:
        """Start or join the server and store its address in this connection's settings."""
        info = conninfo_to_dict(hold_postgres(settings.VAR_DIR / "postgres"))
        self.settings_dict.update(HOST=info["host"], PORT=info["port"])
        self.settings_dict["USER"] = self.settings_dict["USER"] or info["user"]

    def get_connection_params(self) -> dict[str, Any]:
        """Return the parameters for psycopg, making sure that the server runs.

        Django calls this on every request, whose connection usually comes from the pool: then a
        check per second is enough to restart a crashed server.
        """
        now = time.monotonic()
        is_known = self.alias in self._connection_pools  # type: ignore[attr-defined]
        if not is_known or now >= self._look_again_at:
            self.join_server()
            DatabaseWrapper._look_again_at = now + LOOK_SECONDS
        return super().get_connection_params()
