"""The production setup as a file: what is published, and that its parts fit the proxy's files."""

import re
from typing import Any

import yaml

from tests.data_dir import ROOT
from tests.served.test_entrypoint import image_environment
from winoplatform.processes.supervisor import WEB, YEAR

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


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
