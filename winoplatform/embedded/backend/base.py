"""Django's PostgreSQL backend on the embedded server.

Settings name it instead of an address::

    DATABASES = {"default": {"ENGINE": "winoplatform.embedded.backend", "NAME": "winoplatform"}}
    VAR_DIR = Path(…)  # the server lives in VAR_DIR / "postgres"

The server is started or joined when a connection is first opened, not before: ``manage.py
check`` and mypy's Django plugin start nothing. Everything else is Django's own: the pool in
OPTIONS, the creation of test databases on the same server, ``dbshell``.
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
    """``dbshell``: the system's psql if there is one (it can edit lines), else the wheel's."""

    connection: "DatabaseWrapper"

    @classmethod
    def settings_to_cmd_args_env(
        cls, settings_dict: dict[str, Any], parameters: Iterable[str]
    ) -> tuple[list[str], dict[str, str] | None]:
        """Return psql's arguments and environment."""
        args, environment = super().settings_to_cmd_args_env(settings_dict, parameters)
        return [shutil.which("psql") or str(program("psql")), *args[1:]], environment

    def runshell(self, parameters: Iterable[str]) -> None:
        """Run psql on the server, starting it if need be."""
        self.connection.join_server()
        super().runshell(parameters)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that finds out where its server is when it is opened."""

    client_class = DatabaseClient
    _look_again_at = 0.0

    def join_server(self) -> None:
        """Start or join the server and note its address in the settings of this connection."""
        found = conninfo_to_dict(hold_postgres(settings.VAR_DIR / "postgres"))
        for key, name in (("HOST", "host"), ("PORT", "port"), ("USER", "user")):
            self.settings_dict[key] = found[name]

    def get_connection_params(self) -> dict[str, Any]:
        """Return what psycopg needs to connect, the server running by then.

        Django asks at every request, whose connection then comes out of the pool: there a look
        every second is enough to start a crashed server again.
        """
        now = time.monotonic()
        is_known = self.alias in self._connection_pools  # type: ignore[attr-defined]
        if not is_known or now >= self._look_again_at:
            self.join_server()
            DatabaseWrapper._look_again_at = now + LOOK_SECONDS
        return super().get_connection_params()
