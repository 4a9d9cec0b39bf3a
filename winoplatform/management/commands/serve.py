import os
import socket
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from winoplatform import embedded
from winoplatform.db import tables
from winoplatform.http import static_files
from winoplatform.processes import broker
from winoplatform.processes.supervisor import Supervisor, platform_commands
from winoplatform.runs import attempts


class Command(BaseCommand):
    help = "Run the whole platform on this machine: web, Celery workers and beat."

    def add_arguments(self, parser: CommandParser) -> None:
        address = urlsplit(settings.PUBLIC_URL)
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=address.port or 8000)

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        _refuse_taken(host, port)
        address = own_address(host, port)
        # For the processes started below: the links that they generate use this address.
        os.environ.setdefault("PUBLIC_URL", address)
        self.stdout.write("Starting PostgreSQL and Redis …")
        hold_services()
        static_files.collect()
        Supervisor(
            platform_commands(host=host, port=port),
            say=self.stdout.write,
            prepare=partial(self._prepare, address),
            watch=hold_services,
            alive=settings.VAR_DIR / "alive",
        ).run()
        self.stdout.write("All processes have ended.")

    def _prepare(self, address: str) -> None:
        """Migrate the database while the web server starts, which takes about as long."""
        if tables.missing_migrations():
            self.stdout.write("Preparing the database …")
            tables.migrate()
        if tables.owns_database():
            attempts.release_all_leases()  # no other machine has workers on it
        self.stdout.write(f"\n  WinoPlatform is at {address}\n\n  Sign in as\n")
        call_command("first_accounts", stdout=self.stdout)
        self.stdout.write(f"\n  API     {address}/api/docs/\n  Press Ctrl-C to stop.\n")
        call_command("queue_starter", stdout=self.stdout)


def own_address(host: str, port: int) -> str:
    """Return the address of the platform for a browser on this machine."""
    if host in {"0.0.0.0", "::"}:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def hold_services() -> None:
    """Start the embedded servers, and restart those that were killed."""
    broker.url()
    if tables.owns_database():
        embedded.hold_postgres(settings.VAR_DIR / "postgres")


def _refuse_taken(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"{host}:{port} cannot be used ({error.strerror}). "
                "Is the platform running already? Choose another port: make run PORT=8001"
            ) from error
