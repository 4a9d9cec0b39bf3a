"""The platform as the siege finds it: behind the proxy or without it, and who takes its cores."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.bare import cpu, cpu_of
from benchmarks.writers import PATIENCE_SECONDS, free_port, wait_for


@dataclass(frozen=True)
class Site:
    """Where the platform answers, and its processes."""

    port: int
    web: psutil.Process
    proxy: psutil.Process | None = None

    @property
    def tls(self) -> bool:
        return self.proxy is not None

    def cpu_seconds(self, attack: psutil.Process | None = None) -> dict[str, float]:
        """Return the processor time used so far by each part and by the clients."""
        server = cpu(self.web)
        return {
            "web": server.web,
            "database": server.database,
            "proxy": cpu_of(self.proxy) if self.proxy else 0.0,
            "besiegers": cpu_of(attack) if attack else 0.0,
            "validators": cpu_of(psutil.Process(), alone=True),
        }


@contextmanager
def site(folder: Path, *, behind_proxy: bool) -> Iterator[Site]:
    """Serve the platform as production does, or as ``make run`` does."""
    from django.conf import settings

    from tests.served.proxy import Proxy
    from winoplatform.http import static_files

    folder.mkdir()
    outer = free_port()
    static_files.collect()
    with _web(folder, f"https://localhost:{outer}" if behind_proxy else "") as (inner, web):
        if not behind_proxy:
            yield Site(inner, web)
            return
        files = Path(settings.STATIC_ROOT)
        proxy = Proxy(folder, web=inner, files=files, http=free_port(), https=outer)
        proxy.start()
        try:
            yield Site(outer, web, psutil.Process(proxy.process.pid))
        finally:
            proxy.stop()


@contextmanager
def _web(folder: Path, public: str) -> Iterator[tuple[int, psutil.Process]]:
    from tests.races.processes import database_url
    from winoplatform.processes.supervisor import end_with_parent, platform_commands

    port = free_port()
    environment = os.environ | {"DATABASE_URL": database_url(), "SEND_SECONDS": "30"}
    environment |= {"PUBLIC_URL": public} if public else {}
    command = platform_commands(host="127.0.0.1", port=port)["web"]
    with (folder / "web.log").open("wb") as log:
        web = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, preexec_fn=end_with_parent
        )
    try:
        wait_for(port)
        yield port, psutil.Process(web.pid)
    finally:
        web.kill()  # its processes end with it
        web.wait(PATIENCE_SECONDS)
