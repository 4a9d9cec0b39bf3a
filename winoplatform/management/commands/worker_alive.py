import socket
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from winoplatform.runs import workers_alive


class Command(BaseCommand):
    help = "Exit 0 when a Celery worker of this host has recently reported that it is alive."

    def handle(self, *args: Any, **options: Any) -> None:
        workers = workers_alive.alive()
        if workers is None:
            raise CommandError("Redis does not answer.")
        if not any(name.partition("@")[2] == socket.gethostname() for name in workers):
            raise CommandError("No worker of this host has reported that it is alive.")
