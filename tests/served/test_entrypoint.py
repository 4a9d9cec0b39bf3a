"""What the proxy's image does at its start: our script, then the templates, then the real nginx.

The steps are those of nginx's own image: scripts that end in ``.envsh`` are sourced in order, the
name servers of the container are read, and names of set variables are replaced in the templates.
What only that image has is left out: its module for certificates, and ``resolve`` of an upstream,
which needs nginx 1.27.3.
"""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.data_dir import ROOT
from tests.served.proxy import SHIPPED, make_certificate, nginx, storage
from winoplatform.processes.supervisor import WEB, YEAR

DOCKERFILE = (ROOT / "Dockerfile").read_text()
STEPS = r"""
set -eu
for script in docker-entrypoint.d/*.envsh; do test -x "$script" && . "./$script"; done
NGINX_LOCAL_RESOLVERS=$(awk 'BEGIN { ORS=" " } $1 == "nameserver" { print $2 }' resolv.conf)
export NGINX_LOCAL_RESOLVERS
names=$(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/${\1}/p')
for template in templates/*.template; do
    envsubst "$names" < "$template" > "conf.d/$(basename "$template" .template)"
done
"""


def image_environment() -> dict[str, str]:
    """Return what the Dockerfile sets for the proxy."""
    (line,) = re.findall(r"^ENV (WEB=.*)$", DOCKERFILE, re.M)
    return dict(pair.split("=", 1) for pair in shlex.split(line))


def started(folder: Path, **environment: str) -> Path:
    """Do what the image does in an empty *folder*; return the folder of the made files."""
    for name in ("docker-entrypoint.d", "conf.d"):
        (folder / name).mkdir()
    for script in SHIPPED.glob("*.envsh"):
        shutil.copy(script, folder / "docker-entrypoint.d")
    for name in ("templates", "tls"):
        shutil.copytree(SHIPPED / name, folder / name)
    (folder / "resolv.conf").write_text("search lan\nnameserver 127.0.0.11\nnameserver 10.0.0.2\n")
    values = image_environment() | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"} | environment
    subprocess.run(["sh", "-c", STEPS], cwd=folder, env=values, check=True)
    return folder / "conf.d"


@pytest.mark.parametrize(
    "address",
    ["https://wino.example.org", "https://wino.example.org:8443", "https://wino.example.org/"],
)
def test_the_host_and_the_name_servers_are_written_into_the_files(
    tmp_path: Path, address: str
) -> None:
    made = started(tmp_path, PUBLIC_URL=address)
    site = (made / "site.conf").read_text()
    assert "server_name wino.example.org;" in site
    assert "return 301 https://wino.example.org$request_uri;" in site
    assert "server web:8000 resolve;" in site
    assert "include tls/acme/server.conf;" in site
    assert "resolver 127.0.0.11 10.0.0.2  valid=10s;" in (made / "resolver.conf").read_text()


def test_nginx_accepts_the_files_that_were_made(tmp_path: Path) -> None:
    started(
        tmp_path, PUBLIC_URL="https://wino.example.org", TLS="files", WEB="127.0.0.1:8000",
        LISTEN_HTTP="127.0.0.1:8080", LISTEN_HTTPS="127.0.0.1:8443",
        CACHE=str(tmp_path / "pages"),
    )  # fmt: skip
    make_certificate(tmp_path)
    (tmp_path / "conf.d" / "storage.conf").write_text(storage(tmp_path))
    main = (SHIPPED / "nginx.conf").read_text()
    own = {"load_module modules/ngx_http_acme_module.so;": "", "user nginx;": ""}
    own |= {"/run/nginx.pid": f"{tmp_path}/nginx.pid", "/etc/nginx/": f"{tmp_path}/"}
    for theirs, ours in own.items():
        assert theirs in main
        main = main.replace(theirs, ours)
    (tmp_path / "nginx.conf").write_text(main)
    command = [nginx(), "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    tested = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    assert "test is successful" in tested.stderr


COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]


def test_only_the_proxy_is_published() -> None:
    published = {name: each["ports"] for name, each in SERVICES.items() if "ports" in each}
    assert published == {"proxy": ["80:80", "443:443"]}


def test_the_proxy_cannot_see_the_platforms_files() -> None:
    mounted = {volume.partition(":")[0] for volume in SERVICES["proxy"]["volumes"]}
    assert mounted == {"tls", "${CERTIFICATES"}
    stage = DOCKERFILE.partition(" AS proxy")[2]
    copied = re.findall(r"^COPY --from=app (\S+)", stage, re.M)
    assert copied == ["/app/static"]


def test_every_name_in_the_proxys_files_has_a_value() -> None:
    shipped = (ROOT / "deploy" / "proxy" / "templates").glob("*.template")
    names = {name for file in shipped for name in re.findall(r"\$\{(\w+)\}", file.read_text())}
    # By the image's entrypoint, and by ours.
    assert names <= image_environment().keys() | {"NGINX_LOCAL_RESOLVERS", "PUBLIC_HOST"} | {
        "NAMES"
    }


def test_the_image_starts_the_web_server_with_the_same_options() -> None:
    (command,) = re.findall(r'^CMD \[("granian".*)\]$', DOCKERFILE, re.M)
    words = [word.strip(' "') for word in command.split(", ")]
    assert set(WEB) <= set(words)
    assert str(YEAR) in words
