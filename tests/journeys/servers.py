"""The platform behind a real web server that a journey can kill and start again."""

import os
import signal
import subprocess
import time
from http import HTTPStatus
from pathlib import Path
from urllib.request import Request, urlopen

from django.conf import settings
from django.test import override_settings

from tests.data_dir import ROOT
from tests.races.processes import database_url
from tests.winoplatform.ports import free_port
from winoplatform.http import static_files
from winoplatform.processes.supervisor import platform_commands

PATIENCE = 60
# Collected once. The suite's own process has nothing collected: its pages name files without hash.
STATIC = Path(settings.VAR_DIR) / "served" / "static"


class Server:
    """The platform's web server on this test's database, in a process group of its own."""

    def __init__(self, folder: Path, *, public: str = "", **settings: str) -> None:
        self.folder, self.settings = folder, settings
        self.port = free_port()
        self.own_address = f"http://localhost:{self.port}"
        self.address = public or self.own_address

    def start(self) -> None:
        with override_settings(STATIC_ROOT=str(STATIC)):
            static_files.collect()
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
            "STATIC_DIR": str(STATIC),
            "PUBLIC_URL": self.address,
            **self.settings,
        }

    def _answers(self) -> bool:
        # A port that listens is not yet a worker that answers.
        as_by_proxy = {"X-Forwarded-Proto": "https"}
        request = Request(f"{self.own_address}/sign-in/", headers=as_by_proxy)
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return bool(answer.status == HTTPStatus.OK)
        except OSError:
            return False

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
