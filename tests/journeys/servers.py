"""The platform behind a real web server that a journey can kill and start again."""

import os
import signal
import socket
import subprocess
import time
from http import HTTPStatus
from pathlib import Path
from urllib.request import urlopen

from django.conf import settings

from tests.races.processes import database_url
from winoplatform.processes import platform_commands

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60


class Server:
    """The platform's web server on this test's database, in a process group of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"http://localhost:{self.port}"

    def start(self) -> None:
        command = platform_commands(host="127.0.0.1", port=self.port)["web"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment(), stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline, (self.folder / "server.log").read_text()
            time.sleep(0.1)

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DATABASE_URL": database_url(),
            "VAR_DIR": str(self.folder),
            "SECRET_KEY": settings.SECRET_KEY,
            "PUBLIC_URL": self.address,
        }

    def _answers(self) -> bool:
        # A port that listens is not yet a worker that answers.
        try:
            with urlopen(f"{self.address}/sign-in/", timeout=PATIENCE) as answer:
                return bool(answer.status == HTTPStatus.OK)
        except OSError:
            return False

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
