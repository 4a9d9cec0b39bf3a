"""The proxy of the production setup: the real nginx with the shipped configuration."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from winoplatform.processes import end_with_parent

ROOT = Path(__file__).resolve().parents[2]
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
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include conf.d/*.conf;
}}
"""


def nginx() -> str:
    """Return the path of nginx, or fail with the way to get it."""
    found = shutil.which("nginx") or (str(UNPACKED) if UNPACKED.exists() else "")
    if not found:
        raise FileNotFoundError("The tests of the proxy need nginx: run `make nginx`.")
    return found


class Proxy:
    """nginx in front of the server at *web*, with the static files of *files*."""

    def __init__(self, folder: Path, *, web: int, files: Path, http: int, https: int) -> None:
        self.folder, self.http, self.https = folder, http, https
        self.address = f"https://localhost:{https}"
        shutil.copytree(SHIPPED / "tls", folder / "tls")
        values = {
            "WEB": f"127.0.0.1:{web}",
            "FILES": str(files.parent),
            "TLS": "files",
            "PUBLIC_HOST": "localhost",
            "LISTEN_HTTP": f"127.0.0.1:{http}",
            "LISTEN_HTTPS": f"127.0.0.1:{https}",
        }
        site = (SHIPPED / "templates" / "site.conf.template").read_text()
        (folder / "conf.d").mkdir()
        (folder / "conf.d" / "site.conf").write_text(
            re.sub(r"\$\{(\w+)\}", lambda name: values.get(name[1], name[0]), site)
        )
        user = "user root;" if os.geteuid() == 0 else ""  # who may write into the folder
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
        self._make_certificate()

    def _make_certificate(self) -> None:
        made = self.folder / "certificates"
        made.mkdir()
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"]
        command += ["ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj"]
        command += ["/CN=localhost", "-keyout", "privkey.pem", "-out", "fullchain.pem"]
        subprocess.run(command, cwd=made, check=True, capture_output=True)

    def start(self) -> None:
        command = [nginx(), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
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
            socket.create_connection(("127.0.0.1", self.https), 1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(PATIENCE)
