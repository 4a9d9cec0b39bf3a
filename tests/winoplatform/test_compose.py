"""The production setup, as a file: each service has its limits, its check and its own role."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from tests.data_dir import ROOT

SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
PROCESSES = ("web", "worker", "worker-heavy", "beat")
PRESENT = re.compile(r"\$\{(\w+):\?[^}]+\}")


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_has_limits_rotated_logs_and_a_check(name: str) -> None:
    service = SERVICES[name]
    assert service["mem_limit"]
    assert {"max-size", "max-file"} <= service["logging"]["options"].keys()
    if name == "migrate":  # ends by itself
        assert service["restart"] == "no"
    else:
        assert service["restart"] == "unless-stopped"
        assert service["healthcheck"]["test"]


@pytest.mark.parametrize("name", PROCESSES)
def test_processes_know_neither_the_owner_nor_its_password(name: str) -> None:
    environment = SERVICES[name]["environment"]
    assert not any(key.startswith(("DATABASE_OWNER", "POSTGRES", "PG")) for key in environment)
    assert "POSTGRES_PASSWORD" not in str(environment)
    assert urlsplit(environment["DATABASE_URL"]).username == "wino_app"


def test_the_owner_migrates_before_any_process_starts() -> None:
    environment = SERVICES["migrate"]["environment"]
    owner = SERVICES["postgres"]["environment"]
    assert urlsplit(environment["DATABASE_OWNER_URL"]).username == owner["POSTGRES_USER"]
    assert environment["DATABASE_OWNER_PASSWORD"] == owner["POSTGRES_PASSWORD"]
    assert environment["DATABASE_URL"] == SERVICES["web"]["environment"]["DATABASE_URL"]
    for name in PROCESSES:
        waits = SERVICES[name]["depends_on"]["migrate"]
        assert waits == {"condition": "service_completed_successfully"}


def test_no_secret_has_a_default() -> None:
    secrets = ("DATABASE_PASSWORD", "DATABASE_OWNER_PASSWORD", "SECRET_KEY")
    for name in ("migrate", *PROCESSES):
        environment = SERVICES[name]["environment"]
        assert all(PRESENT.fullmatch(environment[key]) for key in secrets if key in environment)


def test_the_upgrade_stops_every_process_before_it_migrates() -> None:
    recipe = (ROOT / "Makefile").read_text().split("\nupgrade:", 1)[1].split("\n\n", 1)[0]
    build, stop, start = re.findall(r"docker compose (.+)", recipe)
    assert build == "build"
    assert set(stop.split()) == {"stop", *PROCESSES}
    assert start.startswith("up ")
