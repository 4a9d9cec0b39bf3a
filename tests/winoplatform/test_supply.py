"""What is installed and shipped: packages with hashes, services with limits, no secrets."""

import os
import re
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
import yaml
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner
from django.core.files.base import ContentFile

from frontend.help.documents import names
from tests.data_dir import ROOT
from tests.factories import CampaignFactory
from validation.exports.campaigns import write_campaign
from winoplatform.artifacts.folder import AtomicFileStorage
from winoplatform.processes import private

pytestmark = pytest.mark.rowless

FOLDER = ROOT / "requirements"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EMBEDDED = set(PROJECT["optional-dependencies"]["embedded"])


def pinned(name: str) -> dict[str, str]:
    """The entries of a lock by package, with their hashes."""
    whole = (FOLDER / name).read_text().replace("\\\n", " ")
    lines = [line for line in whole.splitlines() if line and not line.lstrip().startswith("#")]
    return {re.split(r"==", line)[0]: line for line in lines}


@pytest.mark.parametrize("name", ["lock.txt", "dev.txt", "weights.txt"])
def test_every_package_of_a_lock_has_a_version_and_hashes(name: str) -> None:
    entries = pinned(name)
    assert entries
    for line in entries.values():
        assert re.match(r"[\w.-]+==[^ ]+ .*--hash=sha256:[0-9a-f]{64}", line), line


def test_the_image_has_neither_the_embedded_redis_nor_tools() -> None:
    image, development = pinned("lock.txt"), pinned("dev.txt")
    assert not EMBEDDED & image.keys()
    assert EMBEDDED | {"pytest"} <= development.keys()
    assert "pytest" not in image
    assert image.items() <= development.items()
    assert "dev.txt" not in (ROOT / "Dockerfile").read_text()


def test_torch_has_the_version_of_the_project_and_a_build_of_the_machine() -> None:
    [line] = [x for x in (FOLDER / "torch.txt").read_text().splitlines() if x[0] != "#"]
    assert line in PROJECT["dependencies"]
    assert "torch" not in pinned("lock.txt") | pinned("dev.txt")
    assert not [name for name in pinned("lock.txt") if name.startswith(("nvidia", "triton"))]


def wheel(folder: Path, *names: str) -> None:
    with ZipFile(folder / "weights-1-py3-none-any.whl", "w") as archive:
        for name in ("weights/__init__.py", "weights-1.dist-info/RECORD", *names):
            archive.writestr(name, "")


def checked(folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(FOLDER / "start.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    ["x.pth", "sitecustomize.py", "usercustomize/__init__.py", "weights-1.data/purelib/x.pth",
     "weights-1.data/platlib/sitecustomize.py"],
)  # fmt: skip
def test_a_wheel_of_which_something_runs_at_start_is_refused(tmp_path: Path, name: str) -> None:
    wheel(tmp_path, name)
    done = checked(tmp_path)
    assert done.returncode == 1
    assert name in done.stderr


def test_a_wheel_of_data_is_accepted(tmp_path: Path) -> None:
    wheel(tmp_path, "weights/model/model.safetensors", "weights/sitecustomize.py")
    assert checked(tmp_path).returncode == 0


def test_a_source_package_is_refused_as_it_runs_code_to_be_built(tmp_path: Path) -> None:
    (tmp_path / "weights-1.tar.gz").touch()
    assert checked(tmp_path).returncode == 1


COMPOSE = (ROOT / "docker-compose.yml").read_text()
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
PROCESSES = ("web", "worker", "worker-heavy", "beat")
PRESENT = re.compile(r"\$\{(\w+):\?[^}]+\}")


def assert_specified(folder: Path, compose: str) -> None:
    """Fail unless the Compose Specification's schema allows the file."""
    (folder / "compose.yml").write_text(compose)
    arguments = ["--builtin-schema", "vendor.compose-spec", str(folder / "compose.yml")]
    done = CliRunner().invoke(check_jsonschema, arguments)
    assert done.exit_code == 0, done.output


def test_the_compose_file_is_as_the_specification_says(tmp_path: Path) -> None:
    assert_specified(tmp_path, COMPOSE)


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ("  stop_grace_period: 40s", "  stop_grace: 40s"),  # an unknown key, in a merged part
        ("    image: ${REDIS_IMAGE:-redis:7}", "    images: redis:7"),
        ("    mem_limit: 256m", "    mem_limit: [256m]"),
        ('    command: ["redis-server", "--save", "", "--appendonly", "no"]', "    command: 7"),
        ("    interval: 30s", "    interval: {seconds: 30}"),
        ("        condition: service_healthy", "        condition: healthy"),
        ("  tls:\n", "  tls: here\n"),
    ],
)
def test_a_mistake_in_the_compose_file_is_noticed(tmp_path: Path, line: str, mistake: str) -> None:
    assert line in COMPOSE
    with pytest.raises(AssertionError, match="Schema validation errors"):
        assert_specified(tmp_path, COMPOSE.replace(line, mistake))


def test_the_compose_file_names_only_services_and_volumes_that_there_are() -> None:
    for service in SERVICES.values():
        assert service.get("depends_on", {}).keys() <= SERVICES.keys()
        sources = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        named = {source for source in sources if source.isidentifier()}
        assert named <= yaml.safe_load(COMPOSE)["volumes"].keys()


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


SECRETS = [
    *(".env", ".env.production", ".env.local", "frontend/.env", "winoplatform/api/.env.old"),
    *("server.pem", "workers/server.key", "var/first_accounts.json", "collection/private.pem"),
    *("var.old/secret_key", "var-check/redis/dump.rdb", "evaluation/first_accounts.json"),
]
NOT_FOR_THE_IMAGE = [
    *(".git/config", "shared/data/train.jsonl", "tests/conftest.py", "benchmarks/queue.py"),
    *(".venv/bin/python", "dump.sql", "backup.tar", "notes.txt", "docker-compose.yml"),
    *("requirements/dev.txt", "requirements/hashes.py", "requirements/weights.in"),
    *(
        "workers/__pycache__/allauth_adapters.pyc",
        "docs/decisions/0001-libraries.md",
        "var/artifacts/release.jsonl",
    ),
]
NEEDED = [
    "manage.py",
    *(f"requirements/{name}" for name in ("lock.txt", "torch.txt", "weights.txt", "start.py")),
    *(f"docs/{name}.md" for name in names(is_curator=True)),
]


def as_expression(pattern: str) -> re.Pattern[str]:
    """Translate a line of .dockerignore: ``*`` ends at a slash, ``**/`` is any folders or none."""
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    found = re.split(r"(\*\*/|\*\*|\*|\?)", pattern.strip("/"))
    return re.compile("".join(parts.get(part) or re.escape(part) for part in found))


def is_sent(path: str) -> bool:
    """Whether Docker sends *path*: the last line that matches it or a folder above it decides."""
    above = [path, *(str(folder) for folder in PurePosixPath(path).parents)][:-1]
    sent = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern = as_expression(line.removeprefix("!"))
            if any(pattern.fullmatch(each) for each in above):
                sent = line.startswith("!")
    return sent


@pytest.mark.parametrize("path", [*SECRETS, *NOT_FOR_THE_IMAGE])
def test_the_image_takes_neither_secrets_nor_what_it_does_not_need(path: str) -> None:
    assert not is_sent(path)


@pytest.mark.long
def test_the_image_takes_everything_that_runs() -> None:
    layers = ConfigParser()
    layers.read(ROOT / ".importlinter")
    apps = layers["importlinter"]["root_packages"].split()
    tracked = subprocess.check_output(["git", "ls-files", *apps], cwd=ROOT, text=True).splitlines()
    assert [path for path in [*NEEDED, *tracked] if not is_sent(path)] == []


def is_ignored_by_git(path: str) -> bool:
    command = ["git", "check-ignore", "--quiet", "--no-index", path]
    return subprocess.run(command, cwd=ROOT).returncode == 0


@pytest.mark.parametrize("path", SECRETS)
def test_the_repository_takes_no_secrets(path: str) -> None:
    assert is_ignored_by_git(path)


def test_an_example_of_settings_may_be_published() -> None:
    assert not is_ignored_by_git(".env.example")


def test_no_file_of_the_repository_is_ignored() -> None:
    command = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.check_output(command, cwd=ROOT, text=True) == ""


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def readable_by_others(folder: Path) -> list[str]:
    mask = stat.S_IRWXG | stat.S_IRWXO
    return [str(path) for path in (folder, *folder.rglob("*")) if path.stat().st_mode & mask]


def test_artifacts_are_private(tmp_path: Path) -> None:
    AtomicFileStorage(location=str(tmp_path / "new")).save("ab/cd", ContentFile(b"labels"))
    assert readable_by_others(tmp_path / "new") == []


@pytest.mark.django_db
def test_exports_of_a_campaign_are_private(tmp_path: Path) -> None:
    assert list(write_campaign(CampaignFactory(), "csv", tmp_path / "export"))
    assert readable_by_others(tmp_path / "export") == []


def test_a_file_that_was_open_to_all_becomes_private(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text("labels")
    with private.create(path) as file:
        file.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == private.FILE_MODE
