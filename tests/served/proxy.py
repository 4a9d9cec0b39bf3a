"""The proxy of the production setup: the real nginx with the shipped configuration."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tests.data_dir import ROOT
from tests.winoplatform.ports import free_port
from winoplatform.processes.supervisor import end_with_parent

SHIPPED = ROOT / "deploy" / "proxy"
UNPACKED = ROOT / ".venv" / "nginx" / "usr" / "sbin" / "nginx"
PATIENCE = 20
# What the image's own file has, but paths, TLS by an authority, and ports for root alone.
MAIN = """
{user}
worker_processes 2;
error_log {folder}/error.log info;
pid {folder}/nginx.pid;
daemon off;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    {storage}
    include conf.d/*.conf;
}}
"""


def nginx() -> str:
    """Return the path of nginx, or fail with the way to get it."""
    found = shutil.which("nginx") or (str(UNPACKED) if UNPACKED.exists() else "")
    if not found:
        raise FileNotFoundError("The tests of the proxy need nginx: run `make nginx`.")
    return found


def storage(folder: Path) -> str:
    """Return directives by which nginx stores bodies in *folder*: Debian's own is not there."""
    names = {
        "client_body": "body",
        **{name: name for name in ("proxy", "fastcgi", "uwsgi", "scgi")},
    }
    return " ".join(f"{name}_temp_path {folder}/{of};" for name, of in names.items())


def make_certificate(folder: Path) -> None:
    """Make the files of ``TLS=files``."""
    made = folder / "certificates"
    made.mkdir()
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"]
    command += ["ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj"]
    command += ["/CN=localhost", "-keyout", "privkey.pem", "-out", "fullchain.pem"]
    subprocess.run(command, cwd=made, check=True, capture_output=True)


class Proxy:
    """nginx in front of the server at *web*, with the static files of *files*.

    It listens at *host*; *within* are the words before a command of another network namespace.
    """

    def __init__(
        self,
        folder: Path,
        *,
        web: int,
        files: Path,
        http: int,
        https: int,
        host: str = "127.0.0.1",
        within: Sequence[str] = (),
    ) -> None:
        self.folder, self.http, self.https = folder, http, https
        self.host, self.within = host, within
        self.address = f"https://localhost:{https}"
        shutil.copytree(SHIPPED / "tls", folder / "tls")
        values = {
            "WEB": f"127.0.0.1:{web}",
            "FILES": str(files.parent),
            "TLS": "files",
            "VISITORS": f"127.0.0.1:{free_port()}",
            "CACHE": f"{folder}/cache",
            "PUBLIC_HOST": "localhost",
            "LISTEN_HTTP": f"{host}:{http}",
            "LISTEN_HTTPS": f"{host}:{https}",
        }
        site = (SHIPPED / "templates" / "site.conf.template").read_text()
        (folder / "conf.d").mkdir()
        (folder / "conf.d" / "site.conf").write_text(
            re.sub(r"\$\{(\w+)\}", lambda name: values.get(name[1], name[0]), site)
        )
        user = "user root;" if os.geteuid() == 0 else ""  # who may write into the folder
        (folder / "nginx.conf").write_text(
            MAIN.format(folder=folder, user=user, storage=storage(folder))
        )
        make_certificate(folder)

    def start(self) -> None:
        command = [
            *self.within,
            nginx(),
            "-p",
            str(self.folder),
            "-c",
            str(self.folder / "nginx.conf"),
        ]
        self.process = subprocess.Popen(
            command,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        deadline = time.monotonic() + PATIENCE
        while not self._listens():
            assert time.monotonic() < deadline, (self.folder / "error.log").read_text()
            assert self.process.poll() is None, (self.folder / "error.log").read_text()
            time.sleep(0.05)

    def _listens(self) -> bool:
        try:
            socket.create_connection((self.host, self.https), 1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(PATIENCE)
